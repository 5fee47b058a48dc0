// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * Parts of a computation that the calling thread begins at once and helpers take over as they wake up: whoever is free takes the next
 * part. A helper that comes too late finds nothing left and touches nothing, so nobody waits for it.
 */
final class SharedWork implements Runnable {

    /** How long the caller looks again and again for the end of the last parts before it sleeps: shorter than falling asleep and waking up. */
    private static final long LOOKING_NANOS = 20_000;

    private final int parts;
    private final IntConsumer body;
    private final Thread caller = Thread.currentThread();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    private SharedWork(int parts, IntConsumer body) {
        this.parts = parts;
        this.body = body;
    }

    /** Runs the body for 0 .. parts - 1 and returns when all are done; fails if one has failed. */
    static void run(int parts, int helpers, Executor executor, IntConsumer body) {
        SharedWork work = new SharedWork(parts, body);
        work.call(helpers, executor);
        work.run();
        work.await();
        work.rethrow();
    }

    /** Where no more threads can be had, whoever is there does all of the work. */
    private void call(int helpers, Executor executor) {
        try {
            for (int i = 0; i < helpers; i++) {
                executor.execute(this);
            }
        } catch (OutOfMemoryError | RejectedExecutionException e) {
            System.getLogger(SharedWork.class.getName()).log(System.Logger.Level.DEBUG, "no thread can be had", e);
        }
    }

    private void rethrow() {
        Throwable first = failures.poll();
        if (first == null) {
            return;
        }
        failures.stream().filter(other -> other != first).forEach(first::addSuppressed);
        if (first instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) first;
    }

    @Override
    public void run() {
        for (int part = next.getAndIncrement(); part < parts; part = next.getAndIncrement()) {
            try {
                if (failures.isEmpty()) {
                    body.accept(part);
                }
            } catch (RuntimeException | Error e) {
                failures.add(e);
            } finally {
                if (done.incrementAndGet() == parts && Thread.currentThread() != caller) {
                    LockSupport.unpark(caller);
                }
            }
        }
    }

    /** Waits even if this thread is interrupted: helpers work on memory that the caller is about to free. */
    private void await() {
        long start = System.nanoTime();
        boolean interrupted = false;
        while (done.get() < parts) {
            if (System.nanoTime() - start < LOOKING_NANOS) {
                Thread.onSpinWait();
            } else {
                LockSupport.park(this);
                interrupted |= Thread.interrupted();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
