// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;

/** Seconds and shuffled bytes of one step after the other. */
public final class ShuffleMeter extends SparkListener {

    private final SparkSession spark;
    private final AtomicLong written = new AtomicLong();
    private final List<Step> steps = new ArrayList<>();
    private long begin = System.nanoTime();

    /** What a step took. */
    record Step(String what, double seconds, long bytes) {}

    /** Listens from now on. */
    public ShuffleMeter(SparkSession spark) {
        this.spark = spark;
        spark.sparkContext().addSparkListener(this);
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
        if (end.taskMetrics() != null) {
            written.addAndGet(end.taskMetrics().shuffleWriteMetrics().bytesWritten());
        }
    }

    /** Begins a step. */
    public void begin() {
        settle();
        written.set(0);
        begin = System.nanoTime();
    }

    /** Ends a step and prints it; returns its bytes. */
    public long end(String what) {
        double seconds = (System.nanoTime() - begin) / 1e9;
        settle();
        System.out.printf(Locale.ROOT, "%-22s %8.2f s %10.1f MB shuffled%n", what, seconds, written.get() / 1e6);
        steps.add(new Step(what, seconds, written.get()));
        return written.get();
    }

    /** All steps since this was last asked. */
    List<Step> taken() {
        List<Step> all = List.copyOf(steps);
        steps.clear();
        return all;
    }

    /** Listeners hear of tasks a little later. */
    private void settle() {
        try {
            spark.sparkContext().listenerBus().waitUntilEmpty();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
