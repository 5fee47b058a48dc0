// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.table.CsvTable;
import dev.nescio.io.table.NumberTable;
import dev.nescio.io.table.TableProblem;
import dev.nescio.io.table.TableReader;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The raw layout of OGB's node property predictions: {@code raw/edge.csv.gz}, {@code node-feat.csv.gz},
 * {@code node-label.csv.gz} without headers, and {@code split/NAME/train.csv.gz}, {@code valid.csv.gz}, {@code test.csv.gz}.
 */
public final class OgbFolder implements GraphLocation {

    @Override
    public String form() {
        return "FOLDER with raw";
    }

    @Override
    public String summary() {
        return "a folder of the Open Graph Benchmark for node classification";
    }

    @Override
    public boolean matches(Request request) {
        return find(request.path(), "raw/edge") != null && find(request.path(), "raw/node-feat") != null;
    }

    private static @Nullable Path find(Path folder, String name) {
        return Stream.of(".csv.gz", ".csv")
                .map(ending -> folder.resolve(name + ending))
                .filter(Files::isRegularFile)
                .findFirst()
                .orElse(null);
    }

    private static Path required(Path folder, String name) {
        Path found = find(folder, name);
        if (found == null) {
            throw new BadInput(folder + " has no " + name + ".csv.gz");
        }
        return found;
    }

    @Override
    public Graph read(Request request) {
        Path folder = request.path();
        TableGraph.Listener listener = request.listener();
        float[][] features = rows(required(folder, "raw/node-feat"), listener);
        int[][] edges = columns(required(folder, "raw/edge"), 2, listener);
        Adjacency.Built built;
        try {
            built = request.layout().directed()
                    ? Adjacency.directed(features.length, edges[0], edges[1])
                    : Adjacency.undirected(features.length, edges[0], edges[1]);
        } catch (BadInput e) {
            throw new BadInput(find(folder, "raw/edge") + ": " + e.getMessage(), e);
        }
        Graph.Builder builder = Graph.builder(TableGraph.name(folder.toAbsolutePath()), built.adjacency())
                .notes(built.notes())
                .features(DenseMatrix.of(features).compact());
        Path labels = find(folder, "raw/node-label");
        if (labels != null) {
            int[] values = columns(labels, 1, listener)[0];
            if (values.length != features.length) {
                throw new BadInput(
                        labels + " has " + values.length + " rows, but there are " + features.length + " nodes");
            }
            int classes = Arrays.stream(values).max().orElse(-1) + 1;
            if (classes > values.length) {
                throw new BadInput(
                        labels + " holds label " + (classes - 1) + ", but there are only " + values.length + " nodes");
            }
            builder.labels(values, classes);
        }
        splits(folder, listener).forEach(builder::split);
        return builder.build();
    }

    private static float[][] rows(Path file, TableGraph.Listener listener) {
        try (TableReader table = CsvTable.withoutHeader(file, listener.reading(file))) {
            return NumberTable.rows(table);
        }
    }

    /** Whole numbers; a missing one is -1, as an unknown label. */
    private static int[][] columns(Path file, int count, TableGraph.Listener listener) {
        IntStream.Builder[] columns = new IntStream.Builder[count];
        Arrays.setAll(columns, i -> IntStream.builder());
        try (TableReader table = CsvTable.withoutHeader(file, listener.reading(file))) {
            if (table.columns().size() != count) {
                throw new BadInput(file + " has " + table.columns().size() + " columns, expected " + count);
            }
            while (table.next()) {
                for (int i = 0; i < count; i++) {
                    double value = table.number(i);
                    boolean isMissing = Double.isNaN(value) && count == 1;
                    if (!isMissing && (value != Math.rint(value) || value < -1 || value > Integer.MAX_VALUE - 1)) {
                        throw TableProblem.of(table, i, "is not a whole number in range");
                    }
                    columns[i].add(isMissing ? -1 : (int) value);
                }
            }
        }
        return Arrays.stream(columns).map(c -> c.build().toArray()).toArray(int[][]::new);
    }

    private static List<Split> splits(Path folder, TableGraph.Listener listener) {
        List<Split> splits = new ArrayList<>();
        if (Files.isDirectory(folder.resolve("split"))) {
            try (Stream<Path> kinds = Files.list(folder.resolve("split"))) {
                for (Path kind : kinds.filter(Files::isDirectory).sorted().toList()) {
                    splits.add(new Split(
                            kind.getFileName().toString(),
                            part(kind, "train", listener),
                            part(kind, "valid", listener),
                            part(kind, "test", listener)));
                }
            } catch (IOException e) {
                throw new BadInput(folder + " cannot be read: " + AtomicFile.reason(e), e);
            }
        }
        return splits;
    }

    private static NodeSet part(Path kind, String name, TableGraph.Listener listener) {
        Path file = find(kind, name);
        if (file == null) {
            throw new BadInput(kind + " has no " + name + ".csv.gz");
        }
        int[] nodes = columns(file, 1, listener)[0];
        if (Arrays.stream(nodes).anyMatch(node -> node < 0)) {
            throw new BadInput(file + " holds a number below 0");
        }
        return NodeSet.of(nodes);
    }
}
