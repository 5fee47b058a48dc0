// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.flag;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.NodeSet;
import dev.nescio.io.array.ArrayFile;
import dev.nescio.io.file.Utf8;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.uncertainty.Evidence;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Hidden states that were made elsewhere. */
public final class StatesFlags implements Headed {

    @Option(
            names = "--states",
            paramLabel = "FILES",
            split = ",",
            description =
                    "Hidden states, one row per node, from the first layer to the last: npy, npz, safetensors, Parquet or CSV."
                            + " FILE uses all arrays of a file, ordered by name; FILE:NAME uses one of them.")
    public List<String> states = List.of();

    @Option(names = "--logits", paramLabel = "FILE", description = "Logits, one row per node.")
    @Nullable
    public String logits;

    @Option(
            names = "--links",
            paramLabel = "FILE",
            description = "Edges as pairs of node numbers, [edges, 2] or [2, edges]; needed by gnnsafe.")
    @Nullable
    public String links;

    @Option(
            names = "--ids",
            paramLabel = "FILE",
            description = "Ids of the nodes, one per line (default: their numbers).")
    @Nullable
    public Path ids;

    public boolean areGiven() {
        return !states.isEmpty();
    }

    /** The names of the files, without the folders of this machine. */
    public String names() {
        return states.stream().map(state -> state.replaceFirst(".*[/\\\\]", "")).collect(Collectors.joining(", "));
    }

    public Evidence evidence() {
        List<DenseMatrix> matrices = ArrayFile.matrices(states);
        if (matrices.isEmpty()) {
            throw new BadConfiguration("--states names no arrays");
        }
        Evidence evidence = Evidence.of(matrices, NodeSet.of());
        if (logits != null) {
            DenseMatrix matrix = ArrayFile.matrix(logits);
            if (matrix.firstNotFinite() != null) {
                throw new BadInput(logits + " holds a value that is not finite in row "
                        + matrix.firstNotFinite().row());
            }
            evidence = evidence.withLogits(matrix);
        }
        return links == null ? evidence : evidence.on(graph(links, evidence.nodes()));
    }

    private static Graph graph(String links, int nodes) {
        DenseMatrix edges = ArrayFile.matrix(links);
        boolean byRows = edges.columns() == 2;
        if (!byRows && edges.rows() != 2) {
            throw new BadInput(links + " has shape [" + edges.rows() + ", " + edges.columns()
                    + "], expected [edges, 2] or [2, edges]");
        }
        int count = byRows ? edges.rows() : edges.columns();
        int[] numbers = ArrayFile.numbers(links);
        int[] from = new int[count];
        int[] to = new int[count];
        for (int e = 0; e < count; e++) {
            from[e] = numbers[byRows ? 2 * e : e];
            to[e] = numbers[byRows ? 2 * e + 1 : count + e];
        }
        try {
            return Graph.builder("links", Adjacency.undirected(nodes, from, to).adjacency())
                    .build();
        } catch (BadInput e) {
            throw new BadInput(links + ": " + e.getMessage(), e);
        }
    }

    public NodeIds nodeIds(int nodes) {
        if (ids == null) {
            return NodeIds.numbered(nodes);
        }
        List<String> names = Utf8.lines(ids);
        if (names.size() != nodes) {
            throw new BadInput(ids + " has " + names.size() + " lines, but the states have " + nodes + " rows");
        }
        return NodeIds.named(names);
    }

    @Override
    public String heading() {
        return "External hidden states";
    }
}
