// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import dev.nescio.graph.BlockGraph;
import dev.nescio.graph.Graph;
import dev.nescio.graph.TableSchema;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.file.Sha256;
import dev.nescio.io.file.WorkFolder;
import dev.nescio.io.pack.Communities;
import dev.nescio.io.pack.EdgeBuckets;
import dev.nescio.io.pack.IdIndex;
import dev.nescio.io.pack.JoinedGraph;
import dev.nescio.io.pack.NodeOrder;
import dev.nescio.io.pack.PackWriter;
import dev.nescio.io.pack.PackedGraph;
import dev.nescio.io.pack.PlacesFile;
import dev.nescio.io.pack.Reordering;
import dev.nescio.io.table.TableProblem;
import dev.nescio.io.table.TableReader;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Packs two tables into one file without ever holding either: nodes are read by some thousand rows, of ids only hashes are kept, and
 * edges are sorted in files. What columns mean is learned from the first rows.
 */
public final class TablePacker {

    /** Rows that teach what columns mean. */
    public static final int TEACHING_ROWS = 500_000;

    private static final int ROWS = 16 * PackWriter.PIECE;

    private final String name;
    private final TableSource nodes;
    private final TableSource edges;
    private final TableLayout layout;
    private final @Nullable TableSchema known;
    private final TableGraph.Listener listener;
    private final Path folder;
    private final String fingerprint;
    private final IdIndex ids = new IdIndex();
    private final Map<String, Integer> classNumbers = new HashMap<>();
    private int[] labels = new int[ROWS];

    private TablePacker(
            Tables tables, TableLayout layout, TableGraph.Listener listener, Path folder, String fingerprint) {
        this.name = tables.name;
        this.nodes = tables.nodes;
        this.edges = tables.edges;
        this.known = tables.known;
        this.layout = layout;
        this.listener = listener;
        this.folder = folder;
        this.fingerprint = fingerprint;
    }

    /**
     * What is packed.
     *
     * @param name of the graph
     * @param known what columns meant when a detector was trained; null to learn it
     */
    public record Tables(
            String name,
            TableSource nodes,
            TableSource edges,
            TableLayout layout,
            @Nullable TableSchema known) {

        /** Two files whose columns speak for themselves. */
        public static Tables of(Path nodes, Path edges) {
            return of(nodes, edges, TableLayout.defaults(), null);
        }

        /** Two files; refuses those that are not there. */
        public static Tables of(Path nodes, Path edges, TableLayout layout, @Nullable TableSchema known) {
            return new Tables(TableGraph.name(nodes), TableSource.of(nodes), TableSource.of(edges), layout, known);
        }
    }

    /**
     * Packs two tables.
     *
     * @return whether there was anything to do: a file that was made from the same tables in the same way is left alone
     */
    public static boolean pack(Tables tables, NodeOrder order, TableGraph.Listener listener, Path target) {
        WorkFolder.cleanUp(target);
        TableSchema known = tables.known;
        TableLayout meant = known == null ? tables.layout : tables.layout.like(known);
        String fingerprint = fingerprint(tables, meant, order);
        if (isUpToDate(target, fingerprint)) {
            WorkFolder.discard(target);
            return false;
        }
        try (WorkFolder folder = WorkFolder.resumable(target, fingerprint)) {
            TablePacker packer = new TablePacker(tables, meant, listener, folder.path(), fingerprint);
            packer.pack(order, target);
        }
        return true;
    }

    /** The state of both tables, how they are read, and another order than theirs. */
    private static String fingerprint(Tables tables, TableLayout layout, NodeOrder order) {
        String text = String.join(
                "\n",
                state(tables.nodes),
                state(tables.edges),
                layout.toString(),
                String.valueOf(tables.known) + (order == NodeOrder.TABLE ? "" : "\n" + order));
        return HexFormat.of().formatHex(Sha256.digest().digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static String state(TableSource table) {
        return table.state().isEmpty() ? UUID.randomUUID().toString() : table.state();
    }

    private static boolean isUpToDate(Path target, String fingerprint) {
        if (!Files.isRegularFile(target)) {
            return false;
        }
        try (PackedGraph before = PackedGraph.open(target)) {
            return before.fingerprint().equals(fingerprint);
        } catch (BadInput e) {
            return false;
        }
    }

    /** Phase by phase; each leaves a file that is whole, and a killed process need not do it again. */
    private void pack(NodeOrder order, Path target) {
        Path nodesAlone = folder.resolve("nodes" + PackedLocation.ENDING);
        Path linksAlone = folder.resolve("links" + PackedLocation.ENDING);
        if (isUpToDate(nodesAlone, fingerprint)) {
            listener.accept(
                    nodes.place() + ": nodes that were packed before the last attempt ended are not read again");
        } else {
            PackWriter.write(nodesAlone, this::packNodes);
        }
        try (PackedGraph packed = PackedGraph.open(nodesAlone)) {
            if (isUpToDate(linksAlone, fingerprint)) {
                listener.accept(
                        edges.place() + ": edges that were sorted before the last attempt ended are not read again");
            } else {
                know(packed);
                PackWriter.write(linksAlone, writer -> packEdges(packed, writer));
            }
            try (PackedGraph links = PackedGraph.open(linksAlone)) {
                JoinedGraph graph = new JoinedGraph(packed, links);
                switch (order) {
                    case TABLE -> graph.write(fingerprint, target);
                    case COMMUNITIES -> Reordering.write(graph, places(graph), scratch(), fingerprint, target);
                }
            }
        } catch (IOException e) {
            throw new BadInput(target + " cannot be written: " + AtomicFile.reason(e), e);
        }
    }

    private int[] places(JoinedGraph graph) {
        Path file = folder.resolve("places");
        int[] before = PlacesFile.read(file, graph.nodes(), fingerprint);
        if (before != null) {
            return before;
        }
        listener.step("ordering nodes");
        int[] places = Communities.places(graph);
        PlacesFile.write(file, places, fingerprint);
        return places;
    }

    /** For files that nobody goes on from. */
    private Path scratch() throws IOException {
        return Files.createDirectories(folder.resolve("scratch"));
    }

    /** Numbers the ids of nodes that were packed by a process that was killed. */
    private void know(PackedGraph packed) {
        if (ids.size() > 0) {
            return;
        }
        for (int from = 0; from < packed.nodes(); from += PackWriter.PIECE) {
            packed.ids(from, Math.min(PackWriter.PIECE, packed.nodes() - from)).forEach(ids::add);
        }
    }

    /**
     * What the columns of two tables mean, learned from the first rows of the nodes.
     *
     * @param layout what a user says about them
     */
    public static TableSchema learned(
            TableSource nodes, TableSource edges, TableLayout layout, TableGraph.Listener listener) {
        TableSchema learned = learned(nodes, layout, listener);
        try (TableReader rows = edges.open(listener)) {
            return withEnds(
                    learned,
                    rows.columns().get(EdgeTable.source(rows, layout)),
                    rows.columns().get(EdgeTable.target(rows, layout)));
        }
    }

    private static TableSchema withEnds(TableSchema nodes, String source, String target) {
        return new TableSchema(nodes.id(), nodes.label(), source, target, nodes.directed(), nodes.columns());
    }

    private static TableSchema learned(TableSource nodes, TableLayout layout, TableGraph.Listener listener) {
        try (TableReader all = nodes.open(listener)) {
            SomeRows first = new SomeRows(all, TEACHING_ROWS);
            NodeTable.Nodes taught = NodeTable.read(first, layout, null, listener);
            if (first.hasMore()) {
                listener.accept(
                        nodes.place() + ": what columns mean was learned from the first " + TEACHING_ROWS + " rows");
            }
            return new TableSchema(taught.id(), taught.label(), "", "", layout.directed(), taught.columns());
        }
    }

    /** Nodes without links. */
    private PackWriter.Summary packNodes(PackWriter writer) throws IOException {
        TableSchema schema = known == null ? learned(nodes, layout, listener) : known;
        int width = 0;
        try (TableReader all = nodes.open(listener)) {
            SomeRows rows = new SomeRows(all, ROWS);
            do {
                NodeTable.Nodes some = NodeTable.read(rows, layout, schema, TableGraph.Listener.NONE);
                width = some.features().columns();
                add(some, rows, writer);
                rows = new SomeRows(all, ROWS, rows.hasMore());
            } while (rows.hasMore());
        }
        for (int from = 0; from < ids.size(); from += PackWriter.PIECE) {
            int count = Math.min(PackWriter.PIECE, ids.size() - from);
            writer.links(new BlockGraph.Links(new int[count + 1], new int[0]));
        }
        List<String> classes = packLabels(writer);
        return new PackWriter.Summary(name, ids.size(), width, 0, false, classes, schema, fingerprint);
    }

    private void add(NodeTable.Nodes some, SomeRows rows, PackWriter writer) throws IOException {
        int count = some.ids().size();
        int begin = ids.size();
        if (labels.length < begin + count) {
            labels = Arrays.copyOf(labels, (int) Math.min(Integer.MAX_VALUE - 8L, 2L * (begin + count)));
        }
        for (int i = 0; i < count; i++) {
            if (!ids.add(some.ids().name(i))) {
                throw new BadInput(rows.file() + ": '" + some.ids().name(i) + "' is the id of two nodes");
            }
            int label = some.labels()[i];
            labels[begin + i] = label < 0
                    ? Graph.UNLABELLED
                    : classNumbers.computeIfAbsent(some.classes().get(label), name -> classNumbers.size());
        }
        for (int from = 0; from < count; from += PackWriter.PIECE) {
            int taken = Math.min(PackWriter.PIECE, count - from);
            int width = some.features().columns();
            writer.features(DenseMatrix.of(
                            taken,
                            width,
                            Arrays.copyOfRange(some.features().values(), from * width, (from + taken) * width))
                    .compact());
            List<String> names = new ArrayList<>(taken);
            for (int i = from; i < from + taken; i++) {
                names.add(some.ids().name(i));
            }
            writer.ids(names);
        }
    }

    /** Links of nodes without anything else. */
    private PackWriter.Summary packEdges(PackedGraph packed, PackWriter writer) throws IOException {
        for (int from = 0; from < packed.nodes(); from += PackWriter.PIECE) {
            int count = Math.min(PackWriter.PIECE, packed.nodes() - from);
            writer.features(DenseMatrix.of(count, 0, new float[0]));
        }
        long expected = edges.rows();
        try (EdgeBuckets buckets = new EdgeBuckets(scratch(), ids.size(), expected);
                TableReader rows = edges.open(listener)) {
            int source = EdgeTable.source(rows, layout);
            int target = EdgeTable.target(rows, layout);
            TableSchema schema =
                    schema(packed, rows.columns().get(source), rows.columns().get(target));
            long dropped = 0;
            while (rows.next()) {
                int from = number(rows, source);
                int to = number(rows, target);
                if (from < 0 || to < 0) {
                    dropped++;
                    continue;
                }
                buckets.add(from, to);
                if (!layout.directed()) {
                    buckets.add(to, from);
                }
            }
            if (dropped > 0) {
                listener.accept(edges.place() + ": " + dropped + " edges to unknown nodes were dropped");
            }
            listener.step("sorting edges");
            buckets.writeTo(writer);
            if (buckets.loops() > 0) {
                listener.accept(edges.place() + ": " + buckets.loops() / (layout.directed() ? 1 : 2)
                        + " self-loops were dropped");
            }
            return new PackWriter.Summary(
                    packed.name(), packed.nodes(), 0, buckets.edges(), true, List.of(), schema, fingerprint);
        }
    }

    /** What was learned from the nodes, and how the ends of edges are called. */
    private TableSchema schema(PackedGraph packed, String source, String target) {
        if (known != null) {
            return known;
        }
        return withEnds(Objects.requireNonNull(packed.schema(), "nodes of a table have a schema"), source, target);
    }

    private int number(TableReader row, int column) {
        String id = row.text(column);
        int number = id == null ? -1 : ids.find(id);
        if (number < 0 && !layout.dropDangling()) {
            throw TableProblem.of(row, column, "is not the id of a node; --drop-dangling leaves such edges out");
        }
        return number;
    }

    private List<String> packLabels(PackWriter writer) throws IOException {
        List<String> classes = Names.sorted(List.copyOf(classNumbers.keySet()));
        int[] sorted = new int[classes.size()];
        for (int c = 0; c < sorted.length; c++) {
            sorted[classNumbers.getOrDefault(classes.get(c), 0)] = c;
        }
        for (int v = 0; v < ids.size(); v++) {
            labels[v] = labels[v] < 0 ? Graph.UNLABELLED : sorted[labels[v]];
        }
        for (int from = 0; from < ids.size() && !classes.isEmpty(); from += PackWriter.PIECE) {
            writer.labels(labels, from, Math.min(PackWriter.PIECE, ids.size() - from));
        }
        return classes;
    }
}
