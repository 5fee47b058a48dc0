// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.TableSchema;
import dev.nescio.io.table.TableFormats;
import dev.nescio.io.table.TableReader;
import dev.nescio.problem.BadInput;
import dev.nescio.progress.Progress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A graph from a table of nodes and a table of edges, in any of the {@link TableFormats}.
 *
 * <pre>{@code
 * Graph graph = TableGraph.read(Path.of("nodes.csv"), Path.of("edges.csv"));
 * }</pre>
 */
public final class TableGraph {

    private final TableLayout layout;
    private final @Nullable TableSchema known;
    private final Listener listener;

    /** Is told how far reading is, and what a user should know. */
    public interface Listener extends Consumer<String> {

        /** Listens to nothing. */
        Listener NONE = text -> {};

        /** What is being done now, when no file is read. */
        default void step(String what) {}

        /** Whether somebody wants to know what the columns of nodes hold, which costs a look at all values. */
        default boolean wantsColumns() {
            return false;
        }

        /** What the columns of nodes hold. */
        default void columns(List<ColumnProfile> columns) {}

        /** @param what the file that is being read */
        default Progress reading(Path what) {
            return Progress.NONE;
        }
    }

    private TableGraph(TableLayout layout, @Nullable TableSchema known, Listener listener) {
        this.layout = known == null ? layout : layout.like(known);
        this.known = known;
        this.listener = listener;
    }

    /** Reads two tables with {@link TableLayout#defaults}: usual names of columns, undirected edges. */
    public static Graph read(Path nodes, Path edges) {
        return read(nodes, edges, TableLayout.defaults());
    }

    /**
     * Reads two tables whose columns a layout explains, and learns from them how numbers are scaled. Refuses ids that are missing
     * or repeated and, unless the layout says otherwise, edges to unknown nodes.
     *
     * <pre>{@code
     * TableLayout layout = TableLayout.defaults().with().label("fraud").directed(true).build();
     * Graph graph = TableGraph.read(Path.of("nodes.csv"), Path.of("edges.parquet"), layout);
     * }</pre>
     */
    public static Graph read(Path nodes, Path edges, TableLayout layout) {
        return reader(layout, null, Listener.NONE).tables(nodes, edges);
    }

    /**
     * Later tables of the same kind, for a detector that was trained on earlier ones; columns become features as they did then.
     *
     * <pre>{@code
     * Graph today = TableGraph.readLike(detector.schema(), Path.of("nodes.csv"), Path.of("edges.csv"));
     * }</pre>
     *
     * @param known the detector's schema; null where it was not trained on tables, and then these tables are read by themselves
     */
    public static Graph readLike(@Nullable TableSchema known, Path nodes, Path edges) {
        return reader(TableLayout.defaults(), known, Listener.NONE).tables(nodes, edges);
    }

    /** @param known what features mean, of the tables that a detector was trained on; null to learn it from these */
    public static TableGraph reader(TableLayout layout, @Nullable TableSchema known, Listener listener) {
        return new TableGraph(layout, known, listener);
    }

    /** Two tables. */
    public Graph tables(Path nodes, Path edges) {
        return tables(name(nodes), nodes, edges);
    }

    Graph tables(String name, Path nodes, Path edges) {
        requireFile(edges);
        return build(name, () -> open(nodes), () -> open(edges));
    }

    private static void requireFile(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new BadInput(file + " does not exist or is not a file");
        }
    }

    /**
     * Nodes with their ids, labels and splits alone, however they came: no features, no edges. Columns that are neither id, label nor
     * split are not looked at.
     */
    public static Graph nodesAlone(String name, TableReader table, TableLayout layout) {
        NodeTable.Nodes nodes = NodeTable.read(
                table, layout, new TableSchema("", null, "", "", layout.directed(), List.of()), Listener.NONE);
        Graph.Builder builder = Graph.builder(name, Adjacency.empty(nodes.ids().size()))
                .labels(nodes.labels(), nodes.classes())
                .ids(nodes.ids());
        nodes.splits().forEach(builder::split);
        return builder.build();
    }

    TableReader open(Path file) {
        requireFile(file);
        return TableFormats.open(file, listener.reading(file));
    }

    /** One table after the other: each is opened when its turn has come. */
    Graph build(String name, Supplier<TableReader> openNodes, Supplier<TableReader> openEdges) {
        NodeTable.Nodes nodes;
        try (TableReader rows = openNodes.get()) {
            nodes = NodeTable.read(rows, layout, known, listener);
        }
        EdgeTable.Edges edges;
        try (TableReader rows = openEdges.get()) {
            edges = EdgeTable.read(rows, nodes.numbers(), layout, listener);
            if (edges.dropped() > 0) {
                listener.accept(rows.file() + ": " + edges.dropped() + " edges to unknown nodes were dropped");
            }
        }
        Graph.Builder builder = Graph.builder(name, edges.built().adjacency())
                .notes(edges.built().notes())
                .features(nodes.features().compact())
                .labels(nodes.labels(), nodes.classes())
                .ids(nodes.ids())
                .schema(
                        known == null
                                ? new TableSchema(
                                        nodes.id(),
                                        nodes.label(),
                                        edges.source(),
                                        edges.target(),
                                        layout.directed(),
                                        nodes.columns())
                                : known);
        nodes.splits().forEach(builder::split);
        return builder.build();
    }

    static String name(Path file) {
        Path last = file.getFileName();
        return last == null
                ? "graph"
                : TableFormats.nameWithoutEnding(last.toString()).replaceFirst("\\.graphml$", "");
    }
}
