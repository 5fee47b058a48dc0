// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import dev.nescio.detector.EmbeddingDetector;
import dev.nescio.serve.journal.StoreProblem;
import dev.nescio.serve.state.Change;
import dev.nescio.serve.state.Deadline;
import dev.nescio.serve.state.Refused;
import dev.nescio.serve.state.State;
import dev.nescio.serve.state.Store;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What requests are answered from, which is not there until it is loaded. */
public final class Live {

    private static final int MOST_WAITING = 8;

    private final Limits limits;
    private final Semaphore computing =
            new Semaphore(Math.max(2, Runtime.getRuntime().availableProcessors()), true);
    private volatile @Nullable Store store;
    private volatile @Nullable States states;
    private volatile boolean isStopping;

    /** A detector for states of another network, and what clients call it. */
    public record States(String name, EmbeddingDetector detector) {}

    /** Nothing is loaded yet. */
    public Live(Limits limits) {
        this.limits = limits;
    }

    /** From now on the service answers about a graph. */
    public void serve(Store loaded) {
        store = loaded;
    }

    /** From now on the service answers about states. */
    public void serve(States loaded) {
        states = loaded;
    }

    /** From now on nothing new is begun. */
    public void stop() {
        isStopping = true;
    }

    /** How much a request may ask for. */
    Limits limits() {
        return limits;
    }

    /** Whether requests are answered. */
    public boolean isReady() {
        Store loaded = store;
        return !isStopping && (loaded == null ? states != null : loaded.isWriting());
    }

    boolean isStopping() {
        return isStopping;
    }

    @Nullable
    Store storeOrNull() {
        return store;
    }

    @Nullable
    States states() {
        return states;
    }

    Store store() {
        Store loaded = store;
        if (loaded == null) {
            throw states == null
                    ? new Refused(503, "the service is loading; try again in a moment")
                    : new Refused(404, "this service has no graph: it answers about states under /v2");
        }
        return loaded;
    }

    State state() {
        return store().state();
    }

    /** Asks for a change and waits until it is durable. */
    Map<String, @Nullable Object> change(Change.Entry entry) {
        return await(store().submit(entry), limits.time());
    }

    /** Waits until a change is durable. */
    static Map<String, @Nullable Object> await(
            CompletableFuture<Map<String, @Nullable Object>> done, Duration longest) {
        try {
            return done.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | CompletionException e) {
            if (e.getCause() instanceof StoreProblem) {
                throw new Refused(
                        507, "the store is full: nothing was changed, and nothing can be kept until there is room");
            }
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new Refused(
                    503,
                    "the change waits for longer than " + longest.toSeconds()
                            + " seconds; it may still be made: ask again with the same Idempotency-Key");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refused(503, "the service is stopping");
        }
    }

    /** From now on until a request must have its answer. */
    Deadline deadline() {
        return Deadline.in(limits.time());
    }

    /** Waits for a lock as long as for a core. */
    void await(Lock lock) {
        try {
            if (!lock.tryLock(patienceMillis(), TimeUnit.MILLISECONDS)) {
                throw new Refused(429, "too many computations wait already; try again in a second");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refused(503, "the service is stopping");
        }
    }

    private long patienceMillis() {
        return limits.time().toMillis() / 4;
    }

    /** Computes when a core is free; refuses at once where many wait already, so that those who wait do not wait for long. */
    <T> T compute(Supplier<T> work) {
        try {
            if (computing.getQueueLength() >= MOST_WAITING
                    || !computing.tryAcquire(patienceMillis(), TimeUnit.MILLISECONDS)) {
                throw new Refused(429, "too many computations wait already; try again in a second");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refused(503, "the service is stopping");
        }
        try {
            return work.get();
        } finally {
            computing.release();
        }
    }
}
