// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.model.Architecture;
import dev.nescio.model.Forward;
import dev.nescio.model.Model;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.Network;
import dev.nescio.model.layer.MessageFlow;
import dev.nescio.model.layer.Weights;
import dev.nescio.problem.BadInput;
import dev.nescio.problem.BadModelFile;
import dev.nescio.random.Seed;
import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Gradients;
import dev.nescio.tensor.Scope;
import dev.nescio.testing.RandomGraphs;
import java.util.Map;
import org.junit.jupiter.api.Test;

public class ResGcnTest {

    private static final Architecture.Shape SHAPE = new Architecture.Shape(3, 2);
    private static final ModelOptions OPTIONS = ModelOptions.of(4, 2, 0.5, 2);

    private final Graph graph = Graph.builder(
                    "small",
                    Adjacency.undirected(7, new int[] {0, 1, 2, 3, 1}, new int[] {1, 2, 3, 4, 4})
                            .adjacency())
            .features(RandomGraphs.dense(7, 3, 4))
            .build();

    private final Model model = new Model(new ResGcn(), SHAPE, OPTIONS, parameters());

    private static Map<String, NdArray> parameters() {
        try (Weights weights = Weights.drawn(new Seed(1))) {
            new ResGcn().network(weights, SHAPE, OPTIONS);
            return weights.snapshot();
        }
    }

    @Test
    void equalsThePlainTwin() {
        Forward forward = model.forward(graph);
        Twin twin = new Twin(model, graph);

        assertThat(forward.states()).extracting(Forward.State::name).containsExactly("H0", "H1", "H2");
        for (int l = 0; l <= 2; l++) {
            assertClose(forward.states().get(l).values(), twin.states[l]);
        }
        assertClose(forward.logits(), twin.logits);
    }

    @Test
    void theLastStateReproducesTheLogits() {
        Forward forward = model.forward(graph);
        double[][] last = new double[7][4];
        for (int v = 0; v < 7; v++) {
            for (int c = 0; c < 4; c++) {
                last[v][c] = forward.states().get(2).values().get(v, c);
            }
        }
        Twin twin = new Twin(model, graph);
        assertClose(forward.logits(), twin.linear(twin.layerNorm(last, "output.norm"), "output"));
    }

    @Test
    void withoutEdgesEveryNodeHearsItselfOnly() {
        Forward forward = model.forwardWithoutEdges(graph);

        assertClose(forward.logits(), new Twin(model, graph.withoutEdges()).logits);
    }

    @Test
    void sparseAndDenseFeaturesGiveTheSame() {
        Graph sparse = graph.with()
                .features(((DenseMatrix) graph.features()).toSparse())
                .build();
        float[] dense = model.forward(graph).logits().values();
        float[] got = model.forward(sparse).logits().values();

        for (int i = 0; i < dense.length; i++) {
            assertThat(got[i]).isCloseTo(dense[i], within(1e-5f));
        }
    }

    @Test
    void permutingNodesPermutesLogits() {
        int[] order = {3, 0, 6, 2, 5, 1, 4};
        int[] place = new int[7];
        for (int i = 0; i < 7; i++) {
            place[order[i]] = i;
        }
        int[] rows = graph.adjacency().rowOfEntry();
        int[] from = new int[rows.length];
        int[] to = new int[rows.length];
        for (int e = 0; e < rows.length; e++) {
            from[e] = place[graph.adjacency().neighbours()[e]];
            to[e] = place[rows[e]];
        }
        Graph permuted = Graph.builder(
                        "permuted", Adjacency.undirected(7, from, to).adjacency())
                .features(graph.features().select(order))
                .build();
        DenseMatrix original = model.forward(graph).logits();
        DenseMatrix got = model.forward(permuted).logits();
        for (int i = 0; i < 7; i++) {
            for (int c = 0; c < 2; c++) {
                assertThat(got.get(i, c)).isCloseTo(original.get(order[i], c), within(1e-5f));
            }
        }
    }

    /** The shortcut of training: what is computed for some nodes alone is what they get among all. */
    @Test
    void messagesToSomeNodesGiveTheSameLogitsAsMessagesToAll() {
        DenseMatrix all = model.forward(graph).logits();
        for (NodeSet targets : new NodeSet[] {NodeSet.of(2), NodeSet.of(0, 5), NodeSet.of(1, 3, 6), NodeSet.all(7)}) {
            try (Weights weights = Weights.of(model.parameters());
                    MessageFlow flow = MessageFlow.to(targets, graph, 2)) {
                Network network = new ResGcn().network(weights, SHAPE, OPTIONS);
                DenseMatrix some = Scope.run(
                        () -> Gradients.off(() -> network.logits(flow, Dropout.OFF, Network.StateListener.NONE)
                                .toMatrix()));
                assertThat(some.rows()).isEqualTo(targets.size());
                int[] nodes = targets.toArray();
                for (int i = 0; i < nodes.length; i++) {
                    for (int c = 0; c < 2; c++) {
                        assertThat(some.get(i, c)).isCloseTo(all.get(nodes[i], c), within(1e-5f));
                    }
                }
            }
        }
    }

    @Test
    void messagesComputeOnlyWhatTheTargetsHear() {
        try (MessageFlow flow = MessageFlow.to(NodeSet.of(0), graph, 2)) {
            assertThat(flow.nodes(2)).isEqualTo(1);
            assertThat(flow.nodes(1)).isEqualTo(2);
            assertThat(flow.nodes(0)).isEqualTo(4);
        }
    }

    @Test
    void refusesAnotherNumberOfFeatures() {
        Graph wide = graph.with().features(RandomGraphs.dense(7, 5, 1)).build();

        assertThatThrownBy(() -> model.forward(wide))
                .isInstanceOf(BadInput.class)
                .hasMessage("small has 5 features per node, but the model was trained on 3");
    }

    @Test
    void refusesParametersOfAnotherShape() {
        Model broken = new Model(new ResGcn(), SHAPE, ModelOptions.of(5, 2, 0.5, 2), model.parameters());

        assertThatThrownBy(() -> broken.forward(graph))
                .isInstanceOf(BadModelFile.class)
                .hasMessage("parameter 'input.weight' has shape [3, 4], but the network needs [3, 5] floats");
    }

    private static void assertClose(DenseMatrix got, double[][] expected) {
        for (int i = 0; i < expected.length; i++) {
            for (int j = 0; j < expected[i].length; j++) {
                assertThat((double) got.get(i, j)).isCloseTo(expected[i][j], within(2e-5));
            }
        }
    }

    /** The equations once more, in loops. */
    private static final class Twin {

        private final Map<String, NdArray> parameters;
        final double[][][] states = new double[3][][];
        final double[][] logits;

        Twin(Model model, Graph graph) {
            this.parameters = model.parameters();
            double[][] x = new double[graph.nodes()][3];
            for (int v = 0; v < x.length; v++) {
                for (int j = 0; j < 3; j++) {
                    x[v][j] = graph.features().get(v, j);
                }
            }
            states[0] = gelu(linear(x, "input"));
            for (int l = 1; l <= 2; l++) {
                double[][] heard = aggregate(layerNorm(states[l - 1], "layer" + l + ".norm"), graph.adjacency());
                double[][] inner = gelu(linear(heard, "layer" + l + ".module.first"));
                double[][] module = linear(inner, "layer" + l + ".module.second");
                states[l] = new double[x.length][4];
                for (int v = 0; v < x.length; v++) {
                    for (int c = 0; c < 4; c++) {
                        states[l][v][c] = states[l - 1][v][c] + module[v][c];
                    }
                }
            }
            logits = linear(layerNorm(states[2], "output.norm"), "output");
        }

        private float[] get(String name) {
            return ((NdArray.Floats) parameters.get(name)).values();
        }

        double[][] linear(double[][] x, String name) {
            float[] weight = get(name + ".weight");
            float[] bias = get(name + ".bias");
            double[][] out = new double[x.length][bias.length];
            for (int v = 0; v < x.length; v++) {
                for (int c = 0; c < bias.length; c++) {
                    out[v][c] = bias[c];
                    for (int j = 0; j < x[v].length; j++) {
                        out[v][c] += x[v][j] * weight[j * bias.length + c];
                    }
                }
            }
            return out;
        }

        double[][] layerNorm(double[][] x, String name) {
            float[] scale = get(name + ".scale");
            float[] shift = get(name + ".shift");
            double[][] out = new double[x.length][scale.length];
            for (int v = 0; v < x.length; v++) {
                double mean = 0;
                double variance = 0;
                for (double value : x[v]) {
                    mean += value / x[v].length;
                }
                for (double value : x[v]) {
                    variance += (value - mean) * (value - mean) / x[v].length;
                }
                for (int c = 0; c < scale.length; c++) {
                    out[v][c] = scale[c] * (x[v][c] - mean) / Math.sqrt(variance + 1e-5) + shift[c];
                }
            }
            return out;
        }

        private static double[][] aggregate(double[][] x, Adjacency adjacency) {
            double[][] out = new double[x.length][x[0].length];
            for (int v = 0; v < x.length; v++) {
                for (int u = 0; u < x.length; u++) {
                    boolean linked = u == v;
                    for (int e = adjacency.pointers()[v]; e < adjacency.pointers()[v + 1]; e++) {
                        linked |= adjacency.neighbours()[e] == u;
                    }
                    double weight =
                            linked ? 1 / Math.sqrt((adjacency.degree(u) + 1.0) * (adjacency.degree(v) + 1.0)) : 0;
                    for (int c = 0; c < x[0].length; c++) {
                        out[v][c] += weight * x[u][c];
                    }
                }
            }
            return out;
        }

        private static double[][] gelu(double[][] x) {
            for (double[] row : x) {
                for (int c = 0; c < row.length; c++) {
                    row[c] = 0.5 * row[c] * (1 + erf(row[c] / Math.sqrt(2)));
                }
            }
            return x;
        }

        /** By its series, which converges for every argument that occurs here. */
        private static double erf(double x) {
            double term = x;
            double sum = x;
            for (int n = 1; n < 200; n++) {
                term *= -x * x / n;
                sum += term / (2 * n + 1);
            }
            return 2 / Math.sqrt(Math.PI) * sum;
        }
    }
}
