// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.model.Forward;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.progress.Progress;
import dev.nescio.testing.Golden;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.FittedEstimator;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

public class EnergyEstimatorsTest {

    private final DenseMatrix logits = Golden.matrix("logits");
    private final DenseMatrix embeddings = Golden.matrix("gebm", "embeddings");
    private final Graph graph = Graph.builder("golden", adjacency())
            .labels(Golden.ints("gebm", "labels"), 2)
            .build();
    private final Evidence evidence = Evidence.of(List.of(embeddings), NodeSet.of(Golden.ints("gebm", "train")))
            .withLogits(logits)
            .on(graph)
            .withoutEdges(new Forward(logits, List.of(new Forward.State("H", embeddings))));

    private static Adjacency adjacency() {
        JsonNode edges = Golden.at("graph", "edges");
        int[] from = new int[edges.size()];
        int[] to = new int[edges.size()];
        for (int e = 0; e < from.length; e++) {
            from[e] = edges.get(e).get(0).asInt();
            to[e] = edges.get(e).get(1).asInt();
        }
        return Adjacency.undirected(Golden.at("graph", "n").asInt(), from, to).adjacency();
    }

    private static void assertClose(double[] got, double[] expected) {
        assertThat(got).hasSameSizeAs(expected);
        for (int i = 0; i < got.length; i++) {
            assertThat(got[i]).as("node %d", i).isCloseTo(expected[i], within(1e-6));
        }
    }

    @Test
    void ebmIsGolden() {
        assertClose(Estimators.parse("ebm").fit(evidence).score(evidence), Golden.doubles("ebm_energy"));
    }

    /** The last node has no neighbours: its energy is halved twice. */
    @Test
    void gnnSafeIsGolden() {
        assertClose(
                Estimators.parse("gnnsafe").fit(evidence).score(evidence),
                Golden.doubles("gnnsafe_K2_alpha0.5_no_self_loops"));
    }

    @Test
    void gebmIsGolden() {
        assertClose(Estimators.parse("gebm").fit(evidence).score(evidence), Golden.doubles("gebm", "u_sum"));
    }

    @Test
    void gebmComesBackFromItsState() {
        FittedEstimator fitted = Estimators.parse("gebm").fit(evidence);

        assertThat(Gebm.FittedGebm.of(fitted.state()).score(evidence)).containsExactly(fitted.score(evidence));
    }

    @Test
    void eachSaysWhatItMisses() {
        Evidence statesOnly = Evidence.of(List.of(embeddings), NodeSet.of(0));
        assertThatThrownBy(() -> Estimators.parse("ebm").fit(statesOnly))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage("ebm needs logits");
        assertThatThrownBy(() -> new GnnSafe().score(statesOnly.withLogits(logits), Progress.NONE))
                .hasMessage("gnnsafe needs a graph");
        FittedEstimator gebm = Estimators.parse("gebm").fit(evidence);
        assertThatThrownBy(() -> gebm.score(statesOnly.withLogits(logits).on(graph)))
                .hasMessage("gebm needs a forward pass without edges");
    }
}
