// SPDX-License-Identifier: Apache-2.0
package dev.nescio.information;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.model.Forward;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.random.Rng;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two states that know one bit each of a label of two bits, as in the model C1. */
class LayerInformationTest {

    private static final int NODES = 1500;
    private final int[] labels = new int[NODES];
    private final Forward forward = forward();
    private final Split split = new Split(
            "thirds",
            NodeSet.where(NODES, v -> v % 3 == 0),
            NodeSet.where(NODES, v -> v % 3 == 1),
            NodeSet.where(NODES, v -> v % 3 == 2));

    private Forward forward() {
        Rng rng = new Rng(1);
        float[] first = new float[NODES * 2];
        float[] second = new float[NODES * 2];
        for (int v = 0; v < NODES; v++) {
            labels[v] = rng.nextInt(4);
            first[2 * v] = (float) (6 * (labels[v] & 1) + rng.nextGaussian());
            second[2 * v] = (float) (6 * (labels[v] >> 1) + rng.nextGaussian());
            first[2 * v + 1] = (float) rng.nextGaussian();
            second[2 * v + 1] = (float) rng.nextGaussian();
        }
        return new Forward(
                DenseMatrix.of(NODES, 4, new float[NODES * 4]),
                List.of(
                        new Forward.State("H0", DenseMatrix.of(NODES, 2, first)),
                        new Forward.State("H1", DenseMatrix.of(NODES, 2, second))));
    }

    private LayerInformation find(List<LayerInformation> all, String state, String nodes) {
        return all.stream()
                .filter(one -> one.state().equals(state) && one.nodes().equals(nodes))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void layersKnowMoreTogetherAndShufflingAddsNothing() {
        List<LayerInformation> all =
                LayerInformation.of(forward, labels, split, new LayerInformation.Options(5, 4, 10, 0));

        for (String nodes : List.of("training", "validation", "test")) {
            assertThat(find(all, "H0", nodes).bits()).isCloseTo(1, within(0.1));
            assertThat(find(all, "H1", nodes).bits()).isCloseTo(1, within(0.1));
            assertThat(find(all, "joint", nodes).bits()).isCloseTo(2, within(0.2));
            assertThat(find(all, "control", nodes).bits()).isLessThan(1.1);
        }
        all.forEach(one -> {
            assertThat(Math.abs(one.baseline().mean()))
                    .isLessThan(3 * one.baseline().std() + 0.02);
            assertThat(one.entropy()).isCloseTo(2, within(0.02));
        });
        assertThat(find(all, "joint", "test").probe()).isGreaterThan(1.8);
        assertThat(find(all, "H0", "test").probe()).isCloseTo(1, within(0.1));
        assertThat(find(all, "joint", "test").probeBaseline().mean()).isLessThan(0.02);
        assertThat(find(all, "H0", "training").probe()).isNaN();
        assertThat(find(all, "joint", "test").warnings()).anyMatch(text -> text.contains("entropy of the labels"));
    }

    /** The two states are independent but for noise. */
    @Test
    void independentStatesSayNothingAboutEachOtherAndEqualOnesALot() {
        LayerInformation.Options options = new LayerInformation.Options(4, 4, 3, 0);
        LayerInformation.Pair apart =
                LayerInformation.pairs(forward, split, options).get(0);
        Forward.State state = forward.states().get(0);
        Forward twice = new Forward(forward.logits(), List.of(state, new Forward.State("again", state.values())));
        LayerInformation.Pair same =
                LayerInformation.pairs(twice, split, options).get(0);

        assertThat(apart.bits()).isCloseTo(0, within(0.1));
        assertThat(apart.baseline().mean()).isCloseTo(0, within(0.1));
        assertThat(same.bits()).isGreaterThan(2);
        assertThat(same.samples()).isEqualTo(NODES / 3);
    }

    @Test
    void nodesWithoutALabelDoNotCount() {
        labels[2] = -1;
        List<LayerInformation> all =
                LayerInformation.of(forward, labels, split, new LayerInformation.Options(3, 2, 2, 0));

        assertThat(find(all, "H0", "test").samples()).isEqualTo(NODES / 3 - 1);
    }

    @Test
    void nonsenseIsRefused() {
        assertThatThrownBy(() -> new LayerInformation.Options(0, 10, 10, 0)).isInstanceOf(BadConfiguration.class);
    }
}
