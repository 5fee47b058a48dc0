// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.model.Architecture;
import dev.nescio.model.Forward;
import dev.nescio.model.Model;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.layer.Weights;
import dev.nescio.random.Seed;
import dev.nescio.testing.RandomGraphs;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The hidden states that estimators read are those that the logits come from: plain twins of the last step of each model. */
public class StatesToLogitsTest {

    private static final int NODES = 12;
    private static final int CLASSES = 3;
    private static final Architecture.Shape SHAPE = new Architecture.Shape(5, CLASSES);
    private static final ModelOptions OPTIONS = ModelOptions.of(8, 2, 0.5, 1);
    private static final Graph GRAPH = Graph.builder(
                    "small",
                    Adjacency.undirected(NODES, new int[] {0, 1, 2, 3, 1, 7}, new int[] {1, 2, 3, 4, 4, 9})
                            .adjacency())
            .features(RandomGraphs.dense(NODES, 5, 4))
            .build();

    private static final Graph STRANGE = Graph.builder("strange", GRAPH.adjacency())
            .features(times(1000, RandomGraphs.dense(NODES, 5, 4)))
            .build();

    private static DenseMatrix times(float factor, DenseMatrix matrix) {
        float[] values = matrix.values().clone();
        for (int i = 0; i < values.length; i++) {
            values[i] *= factor;
        }
        return DenseMatrix.of(matrix.rows(), matrix.columns(), values);
    }

    static Stream<String> names() {
        return Architectures.all().stream().map(Architecture::name);
    }

    @ParameterizedTest
    @MethodSource("names")
    void logitsFollowFromTheStates(String name) {
        assertLogitsFollow(drawn(name, OPTIONS), GRAPH);
    }

    @Test
    void theHopsOfFsgnnMayHaveAnyLength() {
        ModelOptions free = OPTIONS.in(new Fsgnn().options(), Map.of("rows", "free"));
        Model model = drawn("fsgnn", free);

        assertLogitsFollow(model, GRAPH);
        assertThat(length(drawn("fsgnn", OPTIONS), GRAPH)).isCloseTo(1.0 / 7, within(1e-5));
        assertThat(length(model, STRANGE)).isGreaterThan(100 * length(model, GRAPH));
    }

    /** Of the first hop of node 0. */
    private static double length(Model model, Graph graph) {
        double[] row = doubles(model.forward(graph).matrices().get(0))[0];
        return Math.sqrt(Arrays.stream(row).map(x -> x * x).sum());
    }

    @Test
    void sgcnIsAsSureOfStrangeNodesAsItsEvidence() {
        assertLogitsFollow(drawn("sgcn", OPTIONS), STRANGE);
    }

    private static void assertLogitsFollow(Model model, Graph graph) {
        Forward forward = model.forward(graph);
        double[][] twin = logits(model.architecture().name(), new Parameters(model.parameters()), forward.matrices());

        for (int v = 0; v < NODES; v++) {
            for (int c = 0; c < CLASSES; c++) {
                assertThat((double) forward.logits().get(v, c)).isCloseTo(twin[v][c], within(1e-4 + 1e-5 * twin[v][c]));
            }
        }
    }

    private static Model drawn(String name, ModelOptions options) {
        try (Weights weights = Weights.drawn(new Seed(1))) {
            Architectures.named(name).network(weights, SHAPE, options);
            return new Model(Architectures.named(name), SHAPE, options, weights.snapshot());
        }
    }

    private record Parameters(Map<String, NdArray> byName) {

        float[] get(String name) {
            return ((NdArray.Floats) byName.get(name)).values();
        }
    }

    private static double[][] logits(String name, Parameters p, List<DenseMatrix> states) {
        double[][] last = doubles(states.get(states.size() - 1));
        return switch (name) {
            case "res-gcn", "res-gat-sep", "res-gate", "gcn", "sage", "gatv2" -> linear(normed(last), p);
            case "fagcn" -> linear(last, p);
            case "bgcn" -> last;
            case "sgcn" -> map(last, x -> Math.max(0, x) + Math.log1p(Math.exp(-Math.abs(x))));
            case "fsgnn" -> linear(map(joined(states), x -> Math.max(0, x)), p);
            case "gprgnn" -> weighted(states, p.get("gamma"));
            case "gpn" -> map(spread(map(logEvidence(last, p), Math::exp)), Math::log1p);
            default -> throw new AssertionError("write down how the logits of " + name + " follow from its states");
        };
    }

    private static double[][] doubles(DenseMatrix matrix) {
        double[][] rows = new double[matrix.rows()][matrix.columns()];
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < rows[i].length; j++) {
                rows[i][j] = matrix.get(i, j);
            }
        }
        return rows;
    }

    private static double[][] map(double[][] rows, DoubleUnaryOperator f) {
        return Stream.of(rows).map(row -> Arrays.stream(row).map(f).toArray()).toArray(double[][]::new);
    }

    /** A LayerNorm as it is drawn: scale 1, shift 0. */
    private static double[][] normed(double[][] rows) {
        return Stream.of(rows)
                .map(row -> {
                    double mean = Arrays.stream(row).average().orElseThrow();
                    double variance = Arrays.stream(row)
                            .map(x -> (x - mean) * (x - mean))
                            .average()
                            .orElseThrow();
                    return Arrays.stream(row)
                            .map(x -> (x - mean) / Math.sqrt(variance + 1e-5))
                            .toArray();
                })
                .toArray(double[][]::new);
    }

    private static double[][] linear(double[][] rows, Parameters p) {
        float[] weight = p.get("output.weight");
        float[] bias = p.get("output.bias");
        double[][] out = new double[rows.length][CLASSES];
        for (int v = 0; v < rows.length; v++) {
            for (int c = 0; c < CLASSES; c++) {
                out[v][c] = bias[c];
                for (int j = 0; j < rows[v].length; j++) {
                    out[v][c] += rows[v][j] * weight[j * CLASSES + c];
                }
            }
        }
        return out;
    }

    private static double[][] joined(List<DenseMatrix> states) {
        int width = states.get(0).columns();
        double[][] rows = new double[NODES][width * states.size()];
        for (int s = 0; s < states.size(); s++) {
            for (int v = 0; v < NODES; v++) {
                for (int j = 0; j < width; j++) {
                    rows[v][s * width + j] = states.get(s).get(v, j);
                }
            }
        }
        return rows;
    }

    private static double[][] weighted(List<DenseMatrix> states, float[] weights) {
        double[][] sum = new double[NODES][CLASSES];
        for (int s = 0; s < states.size(); s++) {
            for (int v = 0; v < NODES; v++) {
                for (int c = 0; c < CLASSES; c++) {
                    sum[v][c] += weights[s] * states.get(s).get(v, c);
                }
            }
        }
        return sum;
    }

    /** The log-density of every class by ten radial transformations, plus the certainty budget and an even prior. */
    private static double[][] logEvidence(double[][] latent, Parameters p) {
        int d = latent[0].length;
        double[][] evidence = new double[NODES][CLASSES];
        for (int v = 0; v < NODES; v++) {
            for (int c = 0; c < CLASSES; c++) {
                double[] x = latent[v].clone();
                double logDensity = -0.5 * d * Math.log(2 * Math.PI);
                for (int t = 0; t < 10; t++) {
                    double a = Math.log1p(Math.exp(p.get("flow" + t + ".a")[c]));
                    double b = Math.log1p(Math.exp(p.get("flow" + t + ".b")[c])) - a;
                    double r = 0;
                    for (int j = 0; j < d; j++) {
                        double away = x[j] - p.get("flow" + t + ".centre")[c * d + j];
                        r += away * away;
                    }
                    r = Math.sqrt(r);
                    double h = 1 / (a + r);
                    logDensity += (d - 1) * Math.log(1 + b * h) + Math.log(1 + b * h - b * h * h * r);
                    for (int j = 0; j < d; j++) {
                        x[j] += b * h * (x[j] - p.get("flow" + t + ".centre")[c * d + j]);
                    }
                }
                for (double entry : x) {
                    logDensity -= 0.5 * entry * entry;
                }
                evidence[v][c] = logDensity + 0.5 * d * Math.log(4 * Math.PI) - Math.log(CLASSES);
            }
        }
        return map(evidence, x -> Math.max(-30, Math.min(30, x)));
    }

    /** Ten steps of personalised PageRank that keep a tenth of a node's own. */
    private static double[][] spread(double[][] own) {
        Adjacency adjacency = GRAPH.adjacency();
        double[][] now = own;
        for (int t = 0; t < 10; t++) {
            double[][] next = new double[NODES][CLASSES];
            for (int v = 0; v < NODES; v++) {
                int degree = adjacency.pointers()[v + 1] - adjacency.pointers()[v] + 1;
                for (int c = 0; c < CLASSES; c++) {
                    double heard = now[v][c] / degree;
                    for (int e = adjacency.pointers()[v]; e < adjacency.pointers()[v + 1]; e++) {
                        int u = adjacency.neighbours()[e];
                        int other = adjacency.pointers()[u + 1] - adjacency.pointers()[u] + 1;
                        heard += now[u][c] / Math.sqrt(degree * (double) other);
                    }
                    next[v][c] = 0.9 * heard + 0.1 * own[v][c];
                }
            }
            now = next;
        }
        return now;
    }
}
