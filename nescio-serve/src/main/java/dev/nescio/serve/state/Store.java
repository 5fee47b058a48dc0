// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import dev.nescio.detector.Detector;
import dev.nescio.graph.Graph;
import dev.nescio.problem.BadInput;
import dev.nescio.serve.journal.Journal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The one writer. Changes queue up; whatever waits is applied, written to the journal in one piece, and only then seen by readers and
 * acknowledged. What cannot be written is as if it had never been asked for.
 */
public final class Store implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int MOST_AT_ONCE = 64;
    private static final int LONGEST_QUEUE = 1000;
    /** Of all changes that wait; one alone may have more. */
    private static final long MOST_CHARACTERS = 64L << 20;

    private static final long IDLE_MILLIS = 20;
    private static final double FIRST_ALPHA = 0.05;

    private final @Nullable Journal journal;
    private final Detectors detectors;
    private final Transitions transitions;
    private final LinkedBlockingQueue<Waiting> queue = new LinkedBlockingQueue<>(LONGEST_QUEUE);
    private final AtomicLong charactersWaiting = new AtomicLong();
    private final DriftWatch drift;
    final Thread writer;
    private volatile State state;
    private volatile boolean isClosing;

    /** A change that somebody waits for. */
    private record Waiting(Change.Entry entry, CompletableFuture<Map<String, @Nullable Object>> done) {}

    /** What to begin with. */
    public record Start(String name, Detector detector, Graph graph, GraphReader reader) {}

    /** @param journal null to keep nothing on disk; closed with the store */
    public Store(Start start, @Nullable Journal journal) {
        this.journal = journal;
        this.detectors = new Detectors(journal == null ? null : journal.folder());
        this.transitions = new Transitions(start.reader, detectors::read);
        this.state = begun(start);
        this.drift = new DriftWatch();
        drift.look(state.batchStack(), 0);
        this.writer = new Thread(this::run, "nescio-writer");
        writer.setDaemon(true);
        writer.start();
    }

    /** The first state, or the one that the journal leads to. */
    private State begun(Start start) {
        if (journal == null) {
            return first(start);
        }
        List<byte[]> records = journal.takeFound();
        if (records.isEmpty()) {
            State first = first(start);
            String saved = detectors.save(start.detector).name();
            journal.append(List.of(bytes(entry(new Change.Begin(GraphPrint.of(start.graph), saved), null, null))));
            return first;
        }
        String own = detectors.fingerprint(start.detector);
        Change.Entry head = parsed(records.get(0));
        if (!(head.change() instanceof Change.Begin begin)) {
            throw new BadInput("the journal does not say what it belongs to");
        }
        Start beginning = begin.detector().equals(own) ? start : asBegun(start, detectors.read(begin.detector()));
        if (!GraphPrint.isOf(beginning.graph, begin.graph())) {
            throw new BadInput("the store belongs to another graph than " + start.graph.name()
                    + ": name another folder with --store, or serve the graph that it was begun with");
        }
        State replayed = first(beginning);
        String last = begin.detector();
        String named = begin.detector();
        Set<String> known = new HashSet<>(Set.of(begin.detector()));
        for (byte[] record : records.subList(1, records.size())) {
            Change.Entry entry = parsed(record);
            replayed = transitions.made(replayed, entry).state();
            if (entry.change() instanceof Change.Load load) {
                known.add(load.file());
                last = load.file();
                named = load.atStart() ? load.file() : named;
            }
        }
        detectors.keepOnly(known);
        boolean isNew = !own.equals(named) && !own.equals(last);
        return isNew ? loaded(replayed, start, own) : replayed;
    }

    /** As the store was begun: its first detector may look at other columns of the same tables. */
    private static Start asBegun(Start start, Detector first) {
        boolean sameTables = Objects.equals(first.schema(), start.detector.schema());
        Graph graph = sameTables ? start.graph : start.reader.read(first.schema());
        return new Start(start.name, first, graph, start.reader);
    }

    private static State first(Start start) {
        return Transitions.begin(new Loaded(start.name, start.detector, now(), 1), start.graph, FIRST_ALPHA);
    }

    /** The service was started with a detector that the journal does not know: it takes the place of the last one. */
    private State loaded(State replayed, Start start, String own) {
        detectors.save(start.detector);
        Change.Entry entry = entry(new Change.Load(start.name, own, true), null, null);
        State next = transitions.apply(replayed, entry).state();
        if (journal != null) {
            journal.append(List.of(bytes(entry)));
        }
        return next;
    }

    /** What readers see. */
    public State state() {
        return state;
    }

    /** The detectors that were loaded. */
    public Detectors detectors() {
        return detectors;
    }

    /** Whether what is acknowledged survives the process. */
    public boolean isDurable() {
        return journal != null;
    }

    /** Whether changes can still be made. */
    public boolean isWriting() {
        return writer.isAlive();
    }

    /** How many changes wait. */
    public int waiting() {
        return queue.size();
    }

    /** A change that happens now. */
    public static Change.Entry entry(Change change, @Nullable String key, @Nullable String hash) {
        return new Change.Entry(now(), key, hash, change);
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
    }

    /** Asks for a change; the answer comes when it is durable. Refuses where too many wait already. */
    public CompletableFuture<Map<String, @Nullable Object>> submit(Change.Entry entry) {
        if (isClosing) {
            throw new Refused(503, "the service is stopping");
        }
        if (!isWriting()) {
            throw new Refused(503, "the service can no longer change anything; start it again");
        }
        long characters = entry.change().characters();
        boolean fits = charactersWaiting.getAndAdd(characters) == 0 || charactersWaiting.get() <= MOST_CHARACTERS;
        CompletableFuture<Map<String, @Nullable Object>> done = new CompletableFuture<>();
        if (!fits || !queue.offer(new Waiting(entry, done))) {
            charactersWaiting.addAndGet(-characters);
            throw new Refused(429, "too many changes wait already; try again in a second");
        }
        return done.whenComplete((answer, problem) -> charactersWaiting.addAndGet(-characters));
    }

    private void run() {
        try {
            while (!isClosing || !queue.isEmpty()) {
                Waiting first = queue.poll(IDLE_MILLIS, TimeUnit.MILLISECONDS);
                if (first != null) {
                    commitWith(first);
                } else if (state.staleNodes() > 0 && !isClosing) {
                    settle();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            refuseWaiting();
        }
    }

    private void refuseWaiting() {
        Waiting left = queue.poll();
        while (left != null) {
            left.done.completeExceptionally(new Refused(503, "the service is stopping"));
            left = queue.poll();
        }
    }

    /** A change and those that wait behind it. */
    private void commitWith(Waiting first) {
        List<Waiting> all = new ArrayList<>(MOST_AT_ONCE);
        all.add(first);
        queue.drainTo(all, MOST_AT_ONCE - 1);
        commitOrTell(all);
    }

    /** Whatever goes wrong, memory that is exhausted among it: who waits is told, and the writer goes on with the next. */
    private void commitOrTell(List<Waiting> all) {
        try {
            commit(all);
        } catch (RuntimeException | Error e) {
            all.forEach(waiting -> waiting.done.completeExceptionally(e));
        }
    }

    private void settle() throws InterruptedException {
        Waiting waiting = new Waiting(entry(new Change.Settle(), null, null), new CompletableFuture<>());
        commitOrTell(List.of(waiting));
        if (waiting.done.isCompletedExceptionally()) {
            TimeUnit.SECONDS.sleep(1);
        }
    }

    private void commit(List<Waiting> all) {
        State next = state;
        List<byte[]> records = new ArrayList<>();
        List<Runnable> acknowledgements = new ArrayList<>();
        List<Waiting> applied = new ArrayList<>();
        for (Waiting waiting : all) {
            try {
                Transitions.Outcome outcome = transitions.apply(next, waiting.entry);
                if (outcome.state().version() != next.version()) {
                    records.add(bytes(waiting.entry));
                    next = outcome.state();
                }
                applied.add(waiting);
                acknowledgements.add(() -> waiting.done.complete(outcome.answer()));
            } catch (RuntimeException | Error e) {
                waiting.done.completeExceptionally(e);
            }
        }
        try {
            next.inherit(state);
            if (journal != null && !records.isEmpty()) {
                journal.append(records);
            }
        } catch (RuntimeException | Error e) {
            // Whatever it was: who waits is told, and the writer goes on with the next.
            applied.forEach(waiting -> waiting.done.completeExceptionally(e));
            return;
        }
        int known = state.batchCount();
        // From here on nothing may fail: what is in the journal is what readers see.
        state = next;
        acknowledgements.forEach(Runnable::run);
        drift.look(next.batchStack(), known);
    }

    private static byte[] bytes(Change.Entry entry) {
        return JSON.writeValueAsBytes(entry);
    }

    private static Change.Entry parsed(byte[] record) {
        try {
            return JSON.readValue(record, Change.Entry.class);
        } catch (JacksonException e) {
            throw new BadInput("the journal holds a record that this version does not know", e);
        }
    }

    /** Finishes what waits, then stops. */
    @Override
    public void close() {
        isClosing = true;
        try {
            writer.join(TimeUnit.SECONDS.toMillis(60));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        drift.close();
        if (journal != null) {
            journal.close();
        }
    }
}
