// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import dev.nescio.graph.NodeSet;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.random.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Nodes by all hidden states side by side, each state in units of its own mean length: where they lie in the plane of the two
 * directions of largest variance.
 *
 * @param explained share of the variance along each of both
 */
public record JointMap(NodeSet nodes, double[] x, double[] y, double[] explained) {

    private static final int ITERATIONS = 60;

    /** Some nodes of a state, drawn by chance where there are more than {@code most}. */
    public static JointMap of(State state, int most, Deadline deadline) {
        int[] some = IntStream.range(0, state.nodes()).toArray();
        if (some.length > most) {
            new Seed(0).split("map").rng().shuffle(some);
            some = Arrays.copyOf(some, most);
        }
        NodeSet nodes = NodeSet.of(some);
        float[][] rows = joint(state, nodes);
        double[] mean = mean(rows);
        double[][] covariance = covariance(rows, mean, deadline);
        double total = IntStream.range(0, mean.length)
                .mapToDouble(i -> covariance[i][i])
                .sum();
        double[][] axes = new double[2][];
        double[] explained = new double[2];
        for (int a = 0; a < 2; a++) {
            axes[a] = leading(covariance);
            double variance = along(covariance, axes[a]);
            explained[a] = total > 0 ? Math.max(0, variance / total) : 0;
            deflate(covariance, axes[a], variance);
        }
        return new JointMap(nodes, projected(rows, mean, axes[0]), projected(rows, mean, axes[1]), explained);
    }

    /** Hidden states of some nodes side by side, one row per node. */
    static float[][] joint(State state, NodeSet nodes) {
        List<DenseMatrix> states = new ArrayList<>(
                state.loaded().detector().forward(state.overlay(), nodes).matrices());
        int width = states.stream().mapToInt(DenseMatrix::columns).sum();
        float[][] rows = new float[nodes.size()][width];
        int offset = 0;
        for (DenseMatrix matrix : states) {
            double squares = 0;
            for (float value : matrix.values()) {
                squares += (double) value * value;
            }
            double unit = Math.sqrt(squares / Math.max(1, matrix.rows()));
            for (int r = 0; r < rows.length; r++) {
                for (int c = 0; c < matrix.columns(); c++) {
                    rows[r][offset + c] = (float) (matrix.get(r, c) / (unit > 0 ? unit : 1));
                }
            }
            offset += matrix.columns();
        }
        return rows;
    }

    private static double[] mean(float[][] rows) {
        double[] mean = new double[rows[0].length];
        for (float[] row : rows) {
            for (int c = 0; c < mean.length; c++) {
                mean[c] += row[c] / (double) rows.length;
            }
        }
        return mean;
    }

    private static double[][] covariance(float[][] rows, double[] mean, Deadline deadline) {
        int width = mean.length;
        double[][] covariance = new double[width][width];
        double[] centred = new double[width];
        for (float[] row : rows) {
            deadline.check();
            for (int c = 0; c < width; c++) {
                centred[c] = row[c] - mean[c];
            }
            for (int i = 0; i < width; i++) {
                double value = centred[i] / rows.length;
                if (value != 0) {
                    for (int j = 0; j < width; j++) {
                        covariance[i][j] += value * centred[j];
                    }
                }
            }
        }
        return covariance;
    }

    /** The direction of largest variance, by repeated multiplication; its largest entry is positive. */
    private static double[] leading(double[][] covariance) {
        double[] axis = new double[covariance.length];
        Arrays.setAll(axis, i -> 1 + i % 7 * 0.1);
        for (int iteration = 0; iteration < ITERATIONS; iteration++) {
            double[] next = new double[axis.length];
            for (int i = 0; i < axis.length; i++) {
                for (int j = 0; j < axis.length; j++) {
                    next[i] += covariance[i][j] * axis[j];
                }
            }
            double norm = Math.sqrt(Arrays.stream(next).map(v -> v * v).sum());
            if (norm < 1e-30) {
                break;
            }
            Arrays.setAll(axis, i -> next[i] / norm);
        }
        double largest = Arrays.stream(axis)
                .boxed()
                .max((a, b) -> Double.compare(Math.abs(a), Math.abs(b)))
                .orElse(1.0);
        double norm =
                Math.copySign(Math.sqrt(Arrays.stream(axis).map(v -> v * v).sum()), largest);
        Arrays.setAll(axis, i -> axis[i] / norm);
        return axis;
    }

    private static double along(double[][] covariance, double[] axis) {
        double variance = 0;
        for (int i = 0; i < axis.length; i++) {
            for (int j = 0; j < axis.length; j++) {
                variance += axis[i] * covariance[i][j] * axis[j];
            }
        }
        return variance;
    }

    private static void deflate(double[][] covariance, double[] axis, double variance) {
        for (int i = 0; i < axis.length; i++) {
            for (int j = 0; j < axis.length; j++) {
                covariance[i][j] -= variance * axis[i] * axis[j];
            }
        }
    }

    private static double[] projected(float[][] rows, double[] mean, double[] axis) {
        double[] places = new double[rows.length];
        for (int r = 0; r < rows.length; r++) {
            for (int c = 0; c < axis.length; c++) {
                places[r] += (rows[r][c] - mean[c]) * axis[c];
            }
        }
        return places;
    }

    /**
     * Nodes that lie far from each other: the first one as given, then always the one that is farthest from all before.
     *
     * @param candidates in the order of their importance
     */
    public static int[] spread(State state, int[] candidates, int most, Deadline deadline) {
        if (candidates.length == 0) {
            return candidates;
        }
        NodeSet nodes = NodeSet.of(candidates);
        int[] sorted = nodes.toArray();
        float[][] rows = joint(state, nodes);
        double[] distance = new double[sorted.length];
        Arrays.fill(distance, Double.POSITIVE_INFINITY);
        int[] chosen = new int[Math.min(most, sorted.length)];
        int next = Arrays.binarySearch(sorted, candidates[0]);
        for (int i = 0; i < chosen.length; i++) {
            deadline.check();
            chosen[i] = sorted[next];
            distance[next] = -1;
            int farthest = next;
            for (int v = 0; v < sorted.length; v++) {
                if (distance[v] >= 0) {
                    distance[v] = Math.min(distance[v], squared(rows[v], rows[next]));
                }
                farthest = distance[v] > distance[farthest] ? v : farthest;
            }
            next = farthest;
        }
        return chosen;
    }

    private static double squared(float[] a, float[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += (a[i] - b[i]) * (double) (a[i] - b[i]);
        }
        return sum;
    }
}
