package dev.nescio.tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Splits a range of work over the cores that the calling thread may use. */
public final class Parallel {

    private static final ExecutorService HELPERS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "nescio-parallel");
        thread.setDaemon(true);
        return thread;
    });

    private Parallel() {}

    /** Works on {@code from .. to - 1}. */
    @FunctionalInterface
    public interface Range {
        void run(long from, long to);
    }

    /**
     * Runs the body on consecutive parts that together cover {@code 0 .. size - 1}, each a multiple of the grain but the
     * last one. Returns when all are done.
     */
    public static void ranges(long size, long grain, Range body) {
        long grains = (size + grain - 1) / grain;
        long parts = Math.min(Engine.threads(), grains);
        if (parts <= 1) {
            body.run(0, size);
            return;
        }
        List<Future<?>> others = new ArrayList<>();
        for (long p = 1; p < parts; p++) {
            long from = grains * p / parts * grain;
            long to = Math.min(size, grains * (p + 1) / parts * grain);
            others.add(HELPERS.submit(() -> body.run(from, to)));
        }
        body.run(0, grains / parts * grain);
        others.forEach(Parallel::await);
    }

    private static void await(Future<?> future) {
        try {
            future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
