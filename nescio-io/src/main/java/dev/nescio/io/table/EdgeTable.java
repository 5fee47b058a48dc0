package dev.nescio.io.table;

import dev.nescio.graph.Adjacency;
import dev.nescio.problem.BadInput;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the table of the edges. */
final class EdgeTable {

    private static final List<String> SOURCES = List.of("source", "src", "src_id", "from", "node1", "u");
    private static final List<String> TARGETS = List.of("target", "dst", "dst_id", "to", "node2", "v");

    private final TableReader table;
    private final Map<String, Integer> nodes;
    private final boolean dropDangling;
    private int[] from = new int[1024];
    private int[] to = new int[1024];
    private int count;
    private long dropped;

    /** What the table of the edges says. */
    record Edges(Adjacency.Built built, String source, String target, long dropped) {}

    private EdgeTable(TableReader table, Map<String, Integer> nodes, boolean dropDangling) {
        this.table = table;
        this.nodes = nodes;
        this.dropDangling = dropDangling;
    }

    static Edges read(TableReader table, Map<String, Integer> nodes, TableLayout layout) {
        int source = column(table, layout.source(), SOURCES, 0);
        int target = column(table, layout.target(), TARGETS, 1);
        EdgeTable edges = new EdgeTable(table, nodes, layout.dropDangling());
        while (table.next()) {
            edges.add(source, target);
        }
        int[] senders = Arrays.copyOf(edges.from, edges.count);
        int[] receivers = Arrays.copyOf(edges.to, edges.count);
        edges.from = new int[0];
        edges.to = new int[0];
        return new Edges(
                layout.directed()
                        ? Adjacency.directed(nodes.size(), senders, receivers)
                        : Adjacency.undirected(nodes.size(), senders, receivers),
                table.columns().get(source),
                table.columns().get(target),
                edges.dropped);
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

    private void add(int source, int target) {
        int sender = end(source);
        int receiver = end(target);
        if (sender < 0 || receiver < 0) {
            dropped++;
            return;
        }
        if (count == from.length) {
            int size = (int) Math.min(Integer.MAX_VALUE - 8, 2L * count);
            from = Arrays.copyOf(from, size);
            to = Arrays.copyOf(to, size);
        }
        from[count] = sender;
        to[count++] = receiver;
    }

    private int end(int column) {
        String id = table.text(column);
        Integer node = id == null ? null : nodes.get(id);
        if (node == null && !dropDangling) {
            throw TableProblem.of(table, column, "is not the id of a node; --drop-dangling leaves such edges out");
        }
        return node == null ? -1 : node;
    }
}
