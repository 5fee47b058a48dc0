// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph.generate;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import java.util.Arrays;

/**
 * The contextual stochastic block model with a chosen class compatibility matrix: each node sends {@code degree / 2}
 * edges on average, the class of the other end is drawn from the node's row of {@code compatibility}, the other end
 * uniformly from that class. Features are Gaussian around a random mean per class. With a symmetric matrix and equal
 * class sizes the compatibility that comes out is the one asked for.
 *
 * @param nodes how many nodes; classes have equal sizes but for rounding
 * @param compatibility [classes][classes], rows sum to 1
 * @param degree mean number of neighbours
 * @param features number of feature columns
 * @param separation length of the class means, in standard deviations of a feature
 */
public record BlockModel(int nodes, double[][] compatibility, double degree, int features, double separation) {

    /**
     * Refuses fewer nodes than classes, no features, a degree not below the number of nodes, or too large a graph. Also refuses a
     * matrix whose rows do not have one share per class that sum to 1; it is not copied.
     */
    public BlockModel {
        int classes = compatibility.length;
        if (classes < 1 || nodes < classes || features < 1 || !(degree >= 0 && degree < nodes)) {
            throw new BadConfiguration(
                    "a block model needs at least one node per class, a feature and a degree below the"
                            + " number of nodes, got " + nodes + " nodes, " + classes + " classes, " + features
                            + " features, degree " + degree);
        }
        Checks.size(nodes, features);
        Checks.size(nodes, (int) Math.ceil(degree / 2));
        for (double[] row : compatibility) {
            double sum = Arrays.stream(row).sum();
            if (row.length != classes
                    || !(Math.abs(sum - 1) <= 1e-6)
                    || Arrays.stream(row).anyMatch(p -> p < 0)) {
                throw new BadConfiguration(
                        "each row of a compatibility matrix has one share per class and sums to 1, got "
                                + Arrays.toString(row));
            }
        }
    }

    /** {@code homophily} on the diagonal and the rest spread evenly. */
    public static double[][] evenCompatibility(int classes, double homophily) {
        Checks.classes(classes);
        Checks.share("homophily", homophily);
        double[][] matrix = new double[classes][classes];
        for (int i = 0; i < classes; i++) {
            Arrays.fill(matrix[i], classes == 1 ? 1 : (1 - homophily) / (classes - 1));
            matrix[i][i] = classes == 1 ? 1 : homophily;
        }
        return matrix;
    }

    /**
     * {@code homophily} on the diagonal and the rest on the next and the previous class of a ring: neighbours tell a
     * lot about a node, though they are unlike it.
     */
    public static double[][] ringCompatibility(int classes, double homophily) {
        Checks.classes(classes);
        Checks.share("homophily", homophily);
        double[][] matrix = new double[classes][classes];
        for (int i = 0; i < classes; i++) {
            matrix[i][i] += homophily;
            matrix[i][(i + 1) % classes] += (1 - homophily) / 2;
            matrix[i][(i + classes - 1) % classes] += (1 - homophily) / 2;
        }
        return matrix;
    }

    /**
     * Draws a graph, the same one for the same seed. Nodes are numbered class by class, classes are called 0, 1, 2, ..., and
     * there are no splits.
     *
     * <pre>{@code
     * double[][] compatibility = BlockModel.ringCompatibility(5, 0.1);
     * Graph graph = new BlockModel(1000, compatibility, 6, 16, 2).generate("ring", 0);
     * }</pre>
     */
    public Graph generate(String name, long seed) {
        Seed root = new Seed(seed).split("block model");
        int classes = compatibility.length;
        int[] labels = new int[nodes];
        Arrays.setAll(labels, i -> (int) ((long) i * classes / nodes));
        Adjacency.Built built = edges(labels, root.split("edges").rng());
        return Graph.builder(name, built.adjacency())
                .notes(built.notes())
                .features(DenseMatrix.of(
                        nodes, features, points(labels, root.split("features").rng())))
                .labels(labels, classes)
                .build();
    }

    private float[] points(int[] labels, Rng rng) {
        float[][] means = new float[compatibility.length][features];
        for (float[] mean : means) {
            double squares = 0;
            for (int j = 0; j < features; j++) {
                mean[j] = (float) rng.nextGaussian();
                squares += mean[j] * mean[j];
            }
            for (int j = 0; j < features; j++) {
                mean[j] *= (float) (separation / Math.sqrt(squares));
            }
        }
        float[] values = new float[Math.multiplyExact(nodes, features)];
        for (int i = 0; i < values.length; i++) {
            values[i] = means[labels[i / features]][i % features] + (float) rng.nextGaussian();
        }
        return values;
    }

    private Adjacency.Built edges(int[] labels, Rng rng) {
        int classes = compatibility.length;
        int count = (int) Math.round(nodes * degree / 2);
        int[] from = new int[count];
        int[] to = new int[count];
        for (int e = 0; e < count; e++) {
            from[e] = rng.nextInt(nodes);
            int other = rng.nextIndex(compatibility[labels[from[e]]]);
            int begin = firstOf(other, classes);
            to[e] = begin + rng.nextInt(firstOf(other + 1, classes) - begin);
        }
        return Adjacency.undirected(nodes, from, to);
    }

    /** The first node of a class: the smallest i with {@code i * classes / nodes >= label}. */
    private int firstOf(int label, int classes) {
        return (int) (((long) label * nodes + classes - 1) / classes);
    }
}
