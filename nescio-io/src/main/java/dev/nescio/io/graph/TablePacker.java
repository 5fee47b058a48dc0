// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import dev.nescio.graph.Graph;
import dev.nescio.graph.TableSchema;
import dev.nescio.io.file.Sha256;
import dev.nescio.io.file.WorkFolder;
import dev.nescio.io.pack.EdgeBuckets;
import dev.nescio.io.pack.IdIndex;
import dev.nescio.io.pack.PackWriter;
import dev.nescio.io.pack.PackedGraph;
import dev.nescio.io.table.TableFormats;
import dev.nescio.io.table.TableProblem;
import dev.nescio.io.table.TableReader;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Packs two tables into one file without ever holding either: nodes are read by some thousand rows, of ids only hashes are kept, and
 * edges are sorted in files. What columns mean is learned from the first rows.
 */
public final class TablePacker {

    /** Rows that teach what columns mean. */
    public static final int TEACHING_ROWS = 500_000;

    private static final int ROWS = 16 * PackWriter.PIECE;

    private final Tables tables;
    private final TableLayout layout;
    private final TableGraph.Listener listener;
    private final IdIndex ids = new IdIndex();
    private final Map<String, Integer> classNumbers = new HashMap<>();
    private int[] labels = new int[ROWS];

    private TablePacker(Tables tables, TableLayout layout, TableGraph.Listener listener) {
        this.tables = tables;
        this.layout = layout;
        this.listener = listener;
    }

    /**
     * Two tables that can be read from the beginning as often as that is wanted.
     *
     * @param name of the graph
     * @param expectedEdges rows of the edges, about
     */
    public record Tables(String name, Supplier<TableReader> nodes, Supplier<TableReader> edges, long expectedEdges) {}

    /**
     * Packs two tables from anywhere. Nodes are numbered in the order of their rows.
     *
     * @param known what columns meant when a detector was trained; null to learn it
     */
    public static void pack(
            Tables tables, TableLayout layout, @Nullable TableSchema known, TableGraph.Listener listener, Path target) {
        WorkFolder.cleanUp(target);
        new TablePacker(tables, known == null ? layout : layout.like(known), listener).pack(known, "", target);
    }

    /**
     * Packs two tables.
     *
     * @param known what columns meant when a detector was trained; null to learn it
     * @return whether there was anything to do: a file that was made from the same tables in the same way is left alone
     */
    public static boolean pack(
            Path nodes,
            Path edges,
            TableLayout layout,
            @Nullable TableSchema known,
            TableGraph.Listener listener,
            Path target) {
        requireFile(nodes);
        requireFile(edges);
        WorkFolder.cleanUp(target);
        TableLayout meant = known == null ? layout : layout.like(known);
        String fingerprint = fingerprint(nodes, edges, meant, known);
        if (isUpToDate(target, fingerprint)) {
            return false;
        }
        Tables files = new Tables(
                TableGraph.name(nodes),
                () -> TableFormats.open(nodes, listener.reading(nodes)),
                () -> TableFormats.open(edges, listener.reading(edges)),
                size(edges) / 8);
        new TablePacker(files, meant, listener).pack(known, fingerprint, target);
        return true;
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void requireFile(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new BadInput(file + " does not exist or is not a file");
        }
    }

    /** Sizes and times of change of both tables, and how they are read. */
    private static String fingerprint(Path nodes, Path edges, TableLayout layout, @Nullable TableSchema known) {
        try {
            String text = String.join(
                    "\n",
                    nodes.getFileName() + " " + Files.size(nodes) + " " + Files.getLastModifiedTime(nodes),
                    edges.getFileName() + " " + Files.size(edges) + " " + Files.getLastModifiedTime(edges),
                    layout.toString(),
                    String.valueOf(known));
            return HexFormat.of().formatHex(Sha256.digest().digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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

    private void pack(@Nullable TableSchema known, String fingerprint, Path target) {
        try (WorkFolder folder = WorkFolder.beside(target)) {
            PackWriter.write(target, writer -> {
                TableSchema columns = known == null ? learned() : known;
                int features = packNodes(columns, writer);
                String[] ends = new String[2];
                long count = packEdges(folder.path(), writer, ends);
                List<String> classes = packLabels(writer);
                TableSchema schema = known == null
                        ? new TableSchema(
                                columns.id(), columns.label(), ends[0], ends[1], layout.directed(), columns.columns())
                        : known;
                return new PackWriter.Summary(
                        tables.name(), ids.size(), features, count, false, classes, schema, fingerprint);
            });
        }
    }

    private TableSchema learned() {
        try (TableReader all = tables.nodes().get()) {
            SomeRows first = new SomeRows(all, TEACHING_ROWS);
            NodeTable.Nodes taught = NodeTable.read(first, layout, null, listener);
            if (first.hasMore()) {
                listener.accept(
                        all.file() + ": what columns mean was learned from the first " + TEACHING_ROWS + " rows");
            }
            return new TableSchema(taught.id(), taught.label(), "", "", layout.directed(), taught.columns());
        }
    }

    private int packNodes(TableSchema schema, PackWriter writer) throws IOException {
        int width = 0;
        try (TableReader all = tables.nodes().get()) {
            SomeRows rows = new SomeRows(all, ROWS);
            do {
                NodeTable.Nodes some = NodeTable.read(rows, layout, schema, TableGraph.Listener.NONE);
                width = some.features().columns();
                add(some, rows, writer);
                rows = new SomeRows(all, ROWS, rows.hasMore());
            } while (rows.hasMore());
        }
        return width;
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

    private long packEdges(Path folder, PackWriter writer, String[] ends) throws IOException {
        try (EdgeBuckets buckets = new EdgeBuckets(folder, ids.size(), tables.expectedEdges());
                TableReader rows = tables.edges().get()) {
            int source = EdgeTable.source(rows, layout);
            int target = EdgeTable.target(rows, layout);
            ends[0] = rows.columns().get(source);
            ends[1] = rows.columns().get(target);
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
                listener.accept(rows.file() + ": " + dropped + " edges to unknown nodes were dropped");
            }
            listener.step("sorting edges");
            buckets.writeTo(writer);
            if (buckets.loops() > 0) {
                listener.accept(rows.file() + ": " + buckets.loops() / (layout.directed() ? 1 : 2)
                        + " self-loops were dropped");
            }
            return buckets.edges();
        }
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
