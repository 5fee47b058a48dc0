// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.graph.Graph;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.model.ModelOptions;
import dev.nescio.testing.RandomGraphs;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The formula, by hand: peaks of all models were measured at 0.9 to 1.4 times of it. */
class MemoryEstimateTest {

    private static final long BASE = 350;

    private final Graph graph = BuiltinGraphs.make("blocks?nodes=2000&features=16");
    private final DetectorOptions options = DetectorOptions.defaults().with(ModelOptions.HIDDEN, 256);

    @Test
    void trainingHoldsDataStepStatesAndParameters() {
        long edges = graph.adjacency().edges();
        long data = 3 * 4 * 2000L * 16 + 64 * 2 * edges;
        long step = 4 * 2000L * 256 * (8 + 10 * 2);
        long states = 12L * 2000 * 256 * 3;
        // Input, two layers of LayerNorm and two linear maps, LayerNorm and output for five classes.
        long parameters = 17 * 256 + 2 * (2 * 256 + 2 * 257 * 256) + 2 * 256 + 257 * 5;

        assertThat(MemoryEstimate.training(graph, options, 1))
                .isEqualTo(BASE + ((data + step + states + 20 * parameters) >> 20));
        assertThat(MemoryEstimate.training(graph, options, 3))
                .isEqualTo(BASE + ((3 * (data + step + states + 20 * parameters)) >> 20));
        assertThat(MemoryEstimate.scoring(graph, options)).isEqualTo(BASE + ((data + states) >> 20));
        assertThat(MemoryEstimate.training(graph, options.withLeftOut(Set.of(0, 1)), 1))
                .isLessThanOrEqualTo(MemoryEstimate.training(graph, options, 1));
    }

    @Test
    void sparseFeaturesCountTheirIndicesToo() {
        Graph sparse =
                graph.with().features(RandomGraphs.sparse(2000, 4000, 0.05, 1)).build();
        long data = 3 * 16 * sparse.features().stored()
                + 64 * 2 * sparse.adjacency().edges();

        assertThat(MemoryEstimate.scoring(sparse, options)).isEqualTo(BASE + ((data + 12L * 2000 * 256 * 3) >> 20));
    }
}
