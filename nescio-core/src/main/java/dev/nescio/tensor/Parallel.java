package dev.nescio.tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

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

    /**
     * Runs tasks 0 .. tasks - 1, as many at a time as the calling thread may use cores, each on one core. What a task
     * computes then does not depend on the number of cores.
     */
    public static void sideBySide(int tasks, IntConsumer body) {
        AtomicInteger next = new AtomicInteger();
        Runnable worker = () -> {
            for (int task = next.getAndIncrement(); task < tasks; task = next.getAndIncrement()) {
                body.accept(task);
            }
        };
        int workers = Math.min(Engine.threads(), tasks);
        Engine.onOneThread(() -> {
            List<Future<?>> others = new ArrayList<>();
            for (int w = 1; w < workers; w++) {
                others.add(HELPERS.submit(() -> Engine.onOneThread(worker)));
            }
            try {
                worker.run();
            } finally {
                next.set(tasks);
            }
            others.forEach(Parallel::await);
        });
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
