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
import java.util.Map;
import org.junit.jupiter.api.Test;

class SageTest {

    private static final Architecture.Shape SHAPE = new Architecture.Shape(3, 2);

    /** Nodes 0, 1, 2 in a triangle with 3 hanging on 0; node 4 is alone. */
    private final Graph graph = Graph.builder(
                    "small",
                    Adjacency.undirected(5, new int[] {0, 1, 2, 0}, new int[] {1, 2, 0, 3})
                            .adjacency())
            .features(RandomGraphs.dense(5, 3, 1))
            .build();

    @Test
    void aLayerIsItsDefinition() {
        ModelOptions options = ModelOptions.of(4, 1, 0.5, 1).in(new Sage().options(), Map.of("norm", "none"));
        Map<String, NdArray> parameters;
        try (Weights weights = Weights.drawn(new Seed(3))) {
            new Sage().network(weights, SHAPE, options);
            parameters = weights.snapshot();
        }
        Forward forward = new Model(new Sage(), SHAPE, options, parameters).forward(graph);
        DenseMatrix first = forward.matrices().get(0);
        float[] weight = ((NdArray.Floats) parameters.get("layer1.module.weight")).values();
        float[] bias = ((NdArray.Floats) parameters.get("layer1.module.bias")).values();

        for (int v = 0; v < 5; v++) {
            for (int j = 0; j < 4; j++) {
                double expected = bias[j];
                for (int i = 0; i < 4; i++) {
                    expected += first.get(v, i) * weight[i * 4 + j] + mean(first, v, i) * weight[(4 + i) * 4 + j];
                }
                assertThat(forward.matrices().get(1).get(v, j)).isCloseTo((float) expected, within(1e-5f));
            }
        }
    }

    private double mean(DenseMatrix states, int v, int column) {
        Adjacency adjacency = graph.adjacency();
        double sum = 0;
        for (int e = adjacency.pointers()[v]; e < adjacency.pointers()[v + 1]; e++) {
            sum += states.get(adjacency.neighbours()[e], column);
        }
        return adjacency.degree(v) == 0 ? 0 : sum / adjacency.degree(v);
    }
}
