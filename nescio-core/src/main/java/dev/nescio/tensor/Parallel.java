// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/** Splits a range of work over the cores that the calling thread may use. */
public final class Parallel {

    /** For tasks that somebody waits for: there is always a thread. */
    private static final ExecutorService HELPERS = Executors.newCachedThreadPool(Parallel::daemon);

    /** Works that wait for a helper; who comes when there are more does the work alone. */
    private static final int WAITING = 256;

    /** For shared work, which gets done without them: as many as there are cores, however many ask. */
    private static final Executor SHARING = sharing();

    /** Of a range: more than one, so that a core that begins late does less. */
    private static final int PARTS_PER_THREAD = 8;

    private Parallel() {}

    private static Executor sharing() {
        int cores = Runtime.getRuntime().availableProcessors();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                cores, cores, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(WAITING), Parallel::daemon);
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "nescio-parallel");
        thread.setDaemon(true);
        return thread;
    }

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
        int threads = Engine.threads();
        if (threads == 1 || grains <= 1) {
            body.run(0, size);
            return;
        }
        int parts = (int) Math.min((long) threads * PARTS_PER_THREAD, grains);
        SharedWork.run(parts, Math.min(threads, parts) - 1, SHARING, part -> {
            long from = grains * part / parts * grain;
            long to = Math.min(size, grains * (part + 1) / parts * grain);
            body.run(from, to);
        });
    }

    /** Runs the body for 0 .. count - 1, each by whichever core is free next. Returns when all are done. */
    static void each(int count, IntConsumer body) {
        SharedWork.run(count, Math.min(Engine.threads(), count) - 1, SHARING, body);
    }

    /**
     * Runs tasks 0 .. tasks - 1, as many at a time as the calling thread may use cores, each on one core. What a task
     * computes then does not depend on the number of cores.
     */
    public static void sideBySide(int tasks, IntConsumer body) {
        AtomicInteger next = new AtomicInteger();
        Runnable worker = () -> {
            try {
                for (int task = next.getAndIncrement(); task < tasks; task = next.getAndIncrement()) {
                    body.accept(task);
                }
            } finally {
                // After a failure nobody begins another task.
                next.set(tasks);
            }
        };
        int workers = Math.min(Engine.threads(), tasks);
        List<Runnable> all = new ArrayList<>(List.of(worker));
        for (int w = 1; w < workers; w++) {
            all.add(() -> Engine.onOneThread(worker));
        }
        Engine.onOneThread(() -> runAll(all));
    }

    /**
     * Begins a task beside what the calling thread goes on to do; the result is there when it is asked for. Where the calling thread
     * may use one core only, the task runs when its result is asked for.
     */
    public static <T> Supplier<T> beside(Supplier<T> task) {
        if (Engine.threads() == 1) {
            return task;
        }
        AtomicReference<T> result = new AtomicReference<>();
        Future<?> future = HELPERS.submit(() -> Engine.onOneThread(() -> result.set(task.get())));
        return () -> {
            await(future);
            return result.get();
        };
    }

    /** Runs the first task here and the others on helpers; returns when all have ended, and then fails if one has failed. */
    private static void runAll(List<Runnable> tasks) {
        List<Future<?>> others = new ArrayList<>();
        for (Runnable task : tasks.subList(1, tasks.size())) {
            others.add(HELPERS.submit(task));
        }
        List<Throwable> failures = new ArrayList<>();
        try {
            tasks.get(0).run();
        } catch (RuntimeException | Error e) {
            failures.add(e);
        }
        for (Future<?> other : others) {
            try {
                await(other);
            } catch (RuntimeException | Error e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            failures.stream().skip(1).forEach(failures.get(0)::addSuppressed);
            throw rethrown(failures.get(0));
        }
    }

    private static RuntimeException rethrown(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return (RuntimeException) failure;
    }

    /** Waits even if this thread is interrupted: the helper works on memory that the caller is about to free. */
    private static void await(Future<?> future) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    future.get();
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw rethrown(e.getCause() == null ? e : e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
