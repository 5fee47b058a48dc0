// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.flag;

import dev.nescio.cli.output.ProgressBar;
import dev.nescio.graph.BlockGraph;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.graph.TableSchema;
import dev.nescio.io.file.WorkFolder;
import dev.nescio.io.graph.ColumnProfile;
import dev.nescio.io.graph.GraphLocation;
import dev.nescio.io.graph.PackedLocation;
import dev.nescio.io.graph.TableGraph;
import dev.nescio.io.graph.TableLayout;
import dev.nescio.io.graph.TablePacker;
import dev.nescio.io.location.GraphLocations;
import dev.nescio.io.pack.Communities;
import dev.nescio.io.pack.NodeOrder;
import dev.nescio.io.pack.PackWriter;
import dev.nescio.io.pack.PackedGraph;
import dev.nescio.io.pack.Reordering;
import dev.nescio.io.table.TableFormats;
import dev.nescio.io.table.TableReader;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.progress.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a graph comes from, and what the columns of its tables mean. */
public final class GraphFlags implements Headed {

    private static final int MOST_NAMES = 20;

    public static final String DESCRIPTION =
            "A graph: an npz file, a table of nodes (with --edges), a folder of tables, a GraphML file, builtin:NAME or data:NAME.";

    @Option(names = "--edges", paramLabel = "FILE", description = "Table of edges for a table of nodes.")
    @Nullable
    public Path edges;

    @Option(
            names = "--id",
            paramLabel = "COLUMN",
            description = "Column of node ids (default: id, node_id, node, name or the first column).")
    @Nullable
    public String id;

    @Option(names = "--label", paramLabel = "COLUMN", description = "Column of labels (default: label, class or y).")
    @Nullable
    public String label;

    @Option(
            names = "--split-column",
            paramLabel = "COLUMN",
            description = "Column with the values train, validation or test (default: split).")
    @Nullable
    public String splitColumn;

    @Option(
            names = "--columns",
            paramLabel = "NAMES",
            split = ",",
            description = "Feature columns, by name or pattern such as f* (default: all other columns).")
    public List<String> features = List.of();

    @Option(names = "--ignore", paramLabel = "NAMES", split = ",", description = "Columns that are not features.")
    public List<String> ignored = List.of();

    @Option(
            names = "--categorical",
            paramLabel = "NAMES",
            split = ",",
            description = "Numeric columns to treat as categories; text columns are always categories.")
    public List<String> categorical = List.of();

    @Option(
            names = "--missing",
            paramLabel = "RULE",
            defaultValue = "mean",
            description = "How to fill a missing number: mean of its column (default), zero, or refuse the table.")
    TableLayout.Missing missing = TableLayout.Missing.MEAN;

    @Option(names = "--raw", description = "Do not standardise numeric columns to mean 0 and deviation 1.")
    public boolean raw;

    @Option(
            names = "--source",
            paramLabel = "COLUMN",
            description = "Column of edge sources (default: source, src, from or the first column).")
    @Nullable
    public String source;

    @Option(
            names = "--target",
            paramLabel = "COLUMN",
            description = "Column of edge targets (default: target, dst, to or the second column).")
    @Nullable
    public String target;

    @Option(names = "--directed", description = "Pass messages from source to target only.")
    public boolean directed;

    @Option(names = "--drop-dangling", description = "Drop edges to unknown nodes instead of refusing the table.")
    public boolean dropDangling;

    @Override
    public String heading() {
        return "Tables";
    }

    /**
     * Refuses an output that is one of the files to be read: writing it would destroy a table.
     *
     * @param place of the graph; null where there is none
     */
    public void requireOther(@Nullable Path out, @Nullable String place) {
        if (out != null && (isSame(out, place) || isSame(out, edges == null ? null : edges.toString()))) {
            throw new BadConfiguration(out + " is a file to be read: name another one with --out");
        }
    }

    private static boolean isSame(Path out, @Nullable String input) {
        try {
            return input != null
                    && Files.isRegularFile(out)
                    && Files.exists(Path.of(input))
                    && Files.isSameFile(out, Path.of(input));
        } catch (IOException | InvalidPathException e) {
            // Whoever reads it says what is wrong with it.
            return false;
        }
    }

    /** The nodes of a packed graph, with the splits of what it was packed from. */
    public Graph nodesAlone(String place, PackedGraph packed) {
        Graph nodes = packed.nodesAlone();
        if (PackedLocation.isNamed(place)) {
            return nodes;
        }
        Graph.Builder builder = nodes.with();
        splits(place, nodes.name()).forEach(builder::split);
        return builder.build();
    }

    private Collection<Split> splits(String place, String name) {
        if (edges == null) {
            return GraphLocations.read(request(place, null, TableGraph.Listener.NONE))
                    .splits()
                    .values();
        }
        try (TableReader table = TableFormats.open(PathName.of(place), Progress.NONE)) {
            return TableGraph.nodesAlone(name, table, layout()).splits().values();
        }
    }

    /** Reads a graph to look at. */
    public Graph read(String place, CommonFlags common) {
        return read(place, null, new Reading(common));
    }

    /**
     * Reads a graph to look at closely.
     *
     * @param columns is told what the columns of its nodes hold, where it comes from tables
     */
    public Graph read(String place, CommonFlags common, Consumer<List<ColumnProfile>> columns) {
        return read(place, null, new Reading(common) {

            @Override
            public boolean wantsColumns() {
                return true;
            }

            @Override
            public void columns(List<ColumnProfile> profiles) {
                columns.accept(profiles);
            }
        });
    }

    /** Reads a graph to learn from, which needs labels. */
    public Graph readLabelled(String place, CommonFlags common) {
        Graph graph = read(place, common);
        requireLabels(place, graph.classes(), graph.schema());
        return graph;
    }

    /** Refuses a graph without classes, with what its columns suggest. */
    public void requireLabels(String place, List<String> classes, @Nullable TableSchema schema) {
        if (classes.isEmpty()) {
            throw new BadInput(place + noLabels(schema));
        }
    }

    private String noLabels(@Nullable TableSchema schema) {
        if (schema == null) {
            return " has no labels, and there is nothing to learn without";
        }
        if (schema.label() != null) {
            return ": column '" + schema.label() + "' holds no labels: every field is empty or says that it is missing";
        }
        List<String> names =
                schema.columns().stream().map(TableSchema.Column::name).toList();
        if (names.isEmpty()) {
            return " has no column but the ids '" + schema.id()
                    + "': there is no label to learn, and no feature to learn it from";
        }
        List<String> likely = ColumnProfile.labelsAmong(names);
        int shown = Math.min(MOST_NAMES, names.size());
        return " has no column called label, class or y; --label COLUMN says which of its columns is the label: "
                + String.join(", ", names.subList(0, shown))
                + (names.size() > shown ? " and " + (names.size() - shown) + " more" : "")
                + (likely.isEmpty() ? "" : " (--label " + likely.get(0) + "?)");
    }

    /**
     * Reads a graph for a detector.
     *
     * @param schema what the columns meant when it was trained; null where it was not trained on tables
     */
    public Graph readLike(String place, @Nullable TableSchema schema, CommonFlags common) {
        if (PackedLocation.isNamed(place)) {
            return read(place, schema, new Reading(common));
        }
        boolean hasColumns = GraphLocations.of(request(place, null, TableGraph.Listener.NONE))
                .hasColumns();
        if (schema != null && !hasColumns) {
            throw new BadConfiguration(
                    "the detector was trained on tables and expects the same columns; " + place + " is not a table");
        }
        if (schema == null && hasColumns && !raw) {
            throw new BadConfiguration(
                    "the detector was not trained on tables and expects unscaled features; use --raw to read " + place
                            + " that way");
        }
        return read(place, schema, new Reading(common));
    }

    /**
     * Packs a graph into one file.
     *
     * @param schema what the columns meant when a detector was trained; null to learn it
     * @return whether there was anything to do
     */
    public boolean pack(String place, @Nullable TableSchema schema, NodeOrder order, Path out, CommonFlags common) {
        if (edges != null) {
            try (Reading reading = new Reading(common)) {
                TablePacker.Tables tables = TablePacker.Tables.of(PathName.of(place), edges, layout(), schema);
                return TablePacker.pack(tables, order, reading, out);
            }
        }
        Graph graph = schema == null ? read(place, common) : readLike(place, schema, common);
        BlockGraph blocks = BlockGraph.of(graph);
        switch (order) {
            case TABLE -> PackWriter.write(out, blocks, graph.labels(), graph.classes(), graph.schema());
            case COMMUNITIES -> {
                try (WorkFolder folder = WorkFolder.beside(out)) {
                    Reordering.write(blocks, Communities.places(blocks), folder.path(), "", out);
                }
            }
        }
        return true;
    }

    /** @param schema what the columns meant when a detector was trained; null to learn it */
    private Graph read(String place, @Nullable TableSchema schema, Reading listener) {
        try (Reading reading = listener) {
            return GraphLocations.read(request(place, schema, reading));
        }
    }

    private GraphLocation.Request request(String place, @Nullable TableSchema schema, TableGraph.Listener listener) {
        PathName.requireName(place);
        PathName.of(place);
        return new GraphLocation.Request(place, edges, layout(), schema, listener);
    }

    private TableLayout layout() {
        return new TableLayout(
                id,
                label,
                splitColumn,
                features,
                ignored,
                categorical,
                missing,
                !raw,
                source,
                target,
                directed,
                dropDangling);
    }

    /** Notes and one progress bar per file. */
    private static class Reading implements TableGraph.Listener, AutoCloseable {

        private final CommonFlags common;
        private @Nullable ProgressBar bar;

        Reading(CommonFlags common) {
            this.common = common;
        }

        @Override
        public void accept(String remark) {
            common.note("note: " + remark);
        }

        @Override
        public void step(String what) {
            if (bar != null) {
                bar.at(1, 1, what);
            }
        }

        @Override
        public Progress reading(Path what) {
            close();
            ProgressBar next = common.progress("reading " + what.getFileName());
            bar = next;
            return (done, total) -> next.at(
                    done, total, String.format(Locale.ROOT, "%,d of %,d MiB", done >> 20, Math.max(1, total >> 20)));
        }

        @Override
        public void close() {
            if (bar != null) {
                bar.close();
            }
        }
    }
}
