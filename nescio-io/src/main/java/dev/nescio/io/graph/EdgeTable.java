// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import dev.nescio.graph.Adjacency;
import dev.nescio.io.table.TableProblem;
import dev.nescio.io.table.TableReader;
import dev.nescio.problem.BadInput;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Reads the table of the edges. Looking up ids takes longer than reading them: rows are read in batches, and other threads look
 * up those that have been read.
 */
public final class EdgeTable {

    private static final List<String> SOURCES = List.of("source", "src", "src_id", "from", "node1", "u");
    private static final List<String> TARGETS = List.of("target", "dst", "dst_id", "to", "node2", "v");
    private static final int BATCH = 1 << 13;
    private static final int MOST_WAITING = 16;

    private final TableReader table;
    private final int source;
    private final int target;
    private final Map<String, Integer> nodes;
    private final boolean dropDangling;
    private int[] from = new int[BATCH];
    private int[] to = new int[BATCH];
    private int count;
    private long dropped;

    /** What the table of the edges says. */
    record Edges(Adjacency.Built built, String source, String target, long dropped) {}

    private EdgeTable(TableReader table, Map<String, Integer> nodes, TableLayout layout) {
        this.table = table;
        this.source = source(table, layout);
        this.target = target(table, layout);
        this.nodes = nodes;
        this.dropDangling = layout.dropDangling();
    }

    static Edges read(TableReader table, Map<String, Integer> nodes, TableLayout layout, TableGraph.Listener listener) {
        EdgeTable edges = new EdgeTable(table, nodes, layout);
        edges.readAll();
        listener.step("joining " + edges.count + " edges");
        int[] senders = Arrays.copyOf(edges.from, edges.count);
        int[] receivers = Arrays.copyOf(edges.to, edges.count);
        edges.from = new int[0];
        edges.to = new int[0];
        return new Edges(
                layout.directed()
                        ? Adjacency.directed(nodes.size(), senders, receivers)
                        : Adjacency.undirected(nodes.size(), senders, receivers),
                table.columns().get(edges.source),
                table.columns().get(edges.target),
                edges.dropped);
    }

    /** The column that edges come from. */
    static int source(TableReader table, TableLayout layout) {
        return column(table, layout.source(), SOURCES, 0);
    }

    /** The column that they end in; refuses the same one. */
    static int target(TableReader table, TableLayout layout) {
        int target = column(table, layout.target(), TARGETS, 1);
        if (target == source(table, layout)) {
            throw new BadInput(table.file() + ": both ends of the edges would be column '"
                    + table.columns().get(target) + "'; --source and --target say which ones they are");
        }
        return target;
    }

    private static int column(TableReader table, @Nullable String wanted, List<String> usual, int otherwise) {
        if (table.columns().size() < 2) {
            throw new BadInput(table.file() + " has " + table.columns().size() + " columns, but an edge has two ends");
        }
        if (wanted != null) {
            if (table.find(wanted) < 0) {
                throw new BadInput(
                        table.file() + " has no column '" + wanted + "'; it has " + String.join(", ", table.columns()));
            }
            return table.find(wanted);
        }
        return usual.stream()
                .mapToInt(table::find)
                .filter(found -> found >= 0)
                .findFirst()
                .orElse(otherwise);
    }

    private void readAll() {
        ExecutorService workers =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            Deque<Future<Batch>> waiting = new ArrayDeque<>();
            Batch batch = new Batch();
            while (table.next()) {
                batch.add(table.text(source), table.text(target), table.row());
                if (batch.size == BATCH) {
                    Batch full = batch;
                    waiting.add(workers.submit(() -> lookUp(full)));
                    batch = new Batch();
                }
                if (waiting.size() > MOST_WAITING) {
                    take(waiting.remove());
                }
            }
            for (Future<Batch> earlier : waiting) {
                take(earlier);
            }
            take(lookUp(batch));
        } finally {
            workers.shutdownNow();
        }
    }

    /** Some rows as they were read, and then the numbers of their nodes. */
    private static final class Batch {
        private final @Nullable String[] ends = new String[2 * BATCH];
        private final long[] rows = new long[BATCH];
        private final int[] numbers = new int[2 * BATCH];
        private int size;

        void add(@Nullable String sender, @Nullable String receiver, long row) {
            ends[2 * size] = sender;
            ends[2 * size + 1] = receiver;
            rows[size++] = row;
        }
    }

    private Batch lookUp(Batch batch) {
        for (int i = 0; i < 2 * batch.size; i++) {
            String id = batch.ends[i];
            Integer node = id == null ? null : nodes.get(id);
            if (node == null && !dropDangling) {
                throw TableProblem.of(
                        table,
                        batch.rows[i / 2],
                        i % 2 == 0 ? source : target,
                        id,
                        "is not the id of a node; --drop-dangling leaves such edges out");
            }
            batch.numbers[i] = node == null ? -1 : node;
        }
        return batch;
    }

    private void take(Future<Batch> batch) {
        try {
            take(batch.get());
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException problem ? problem : new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while reading " + table.file(), e);
        }
    }

    private void take(Batch batch) {
        if (count + batch.size > from.length) {
            int size = (int) Math.min(Integer.MAX_VALUE - 8, Math.max(count + (long) batch.size, 2L * count));
            from = Arrays.copyOf(from, size);
            to = Arrays.copyOf(to, size);
        }
        for (int i = 0; i < batch.size; i++) {
            int sender = batch.numbers[2 * i];
            int receiver = batch.numbers[2 * i + 1];
            if (sender < 0 || receiver < 0) {
                dropped++;
            } else {
                from[count] = sender;
                to[count++] = receiver;
            }
        }
    }
}
