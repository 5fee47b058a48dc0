// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Finds out whether kept batches have drifted, one after the other on a thread of its own, the newest first. */
final class DriftWatch implements AutoCloseable {

    private final LinkedBlockingDeque<Batch> pending = new LinkedBlockingDeque<>();
    private final Thread thread = new Thread(this::run, "nescio-drift");

    DriftWatch() {
        thread.setDaemon(true);
        thread.start();
    }

    /** Looks at the batches that came after {@code known} of them. */
    void look(@Nullable Stack<Batch> batches, int known) {
        int count = batches == null ? 0 : batches.size() - known;
        List<Batch> fresh = new ArrayList<>(Stack.list(batches, count));
        Collections.reverse(fresh);
        fresh.stream().filter(Batch::isPending).forEach(pending::addFirst);
    }

    private void run() {
        try {
            while (true) {
                find(pending.takeFirst());
            }
        } catch (InterruptedException e) {
            // The store is closed.
            Thread.currentThread().interrupt();
        }
    }

    private static void find(Batch batch) {
        try {
            batch.findDrift();
        } catch (RuntimeException | Error e) {
            System.getLogger(DriftWatch.class.getName())
                    .log(System.Logger.Level.WARNING, "the drift of batch " + batch.number() + " cannot be found", e);
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
