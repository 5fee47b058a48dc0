// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.graph.Fingerprint;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Homophily;
import dev.nescio.problem.BadConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BuiltinGraphsTest {

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.25, 0.5, 1})
    void homophilyOfTheBlockModelIsTheOneAskedFor(double homophily) {
        Graph graph = BuiltinGraphs.make("mixed?nodes=2000&degree=20&homophily=" + homophily);

        assertThat(Homophily.of(graph).edge()).isCloseTo(homophily, within(0.02));
        assertThat((double) graph.adjacency().edges() / graph.nodes()).isCloseTo(20, within(1.0));
    }

    @Test
    void compatibilityOfTheBlockModelIsTheOneAskedFor() {
        double[][] asked = {{0.1, 0.6, 0.3}, {0.6, 0.2, 0.2}, {0.3, 0.2, 0.5}};
        Graph graph = new BlockModel(3000, asked, 30, 4, 1).generate("g", 5);

        double[][] got = Homophily.of(graph).compatibility();
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                assertThat(got[i][j]).isCloseTo(asked[i][j], within(0.02));
            }
        }
    }

    @Test
    void moonsHaveThreeClassesAndStartAtTheOrigin() {
        Graph graph = Moons.defaults().generate(1);

        assertThat(graph.classes()).containsExactly("upper moon", "lower moon", "anomaly");
        float lowest = Float.MAX_VALUE;
        double sum = 0;
        for (int v = 0; v < graph.nodes(); v++) {
            lowest = graph.label(v) < 2 ? Math.min(lowest, graph.features().get(v, 0)) : lowest;
            sum += graph.label(v) == 2 ? graph.features().get(v, 1) : 0;
        }
        assertThat(lowest).isZero();
        assertThat(sum / 500).isCloseTo(1, within(0.05));
    }

    /** With two thirds of all candidates in other classes, a quota of 6 of 6 same-class edges is filled to a third. */
    @Test
    void moonsAskedForFullHomophilyHaveOnlySameClassEdges() {
        assertThat(Homophily.of(new Moons(300, 6, 1, 0.05).generate(0)).edge()).isEqualTo(1);
        assertThat(Homophily.of(new Moons(300, 6, 0, 0.05).generate(0)).edge()).isZero();
    }

    @Test
    void sameSettingsGiveTheSameGraph() {
        assertThat(Fingerprint.of(BuiltinGraphs.make("blocks")))
                .isEqualTo(Fingerprint.of(BuiltinGraphs.make("blocks")));
        assertThat(Fingerprint.of(BuiltinGraphs.make("blocks?seed=1")))
                .isNotEqualTo(Fingerprint.of(BuiltinGraphs.make("blocks")));
    }

    @Test
    void namesWhatThereIs() {
        assertThatThrownBy(() -> BuiltinGraphs.make("blobs"))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage("there is no built-in graph 'blobs'; there are blocks, mixed, moons");
        assertThatThrownBy(() -> BuiltinGraphs.make("moons?homophyly=1"))
                .hasMessage("there is no setting 'homophyly'; there are nodes, degree, homophily, noise, seed");
        assertThatThrownBy(() -> BuiltinGraphs.make("moons?homophily=2"))
                .hasMessage("homophily must lie between 0 and 1, got 2.0");
        assertThatThrownBy(() -> BuiltinGraphs.make("blocks?classes=-1"))
                .hasMessage("classes must lie between 1 and 10000, got -1");
        assertThatThrownBy(() -> BuiltinGraphs.make("blocks?nodes=100000&degree=99999"))
                .hasMessage("100000 nodes with 50000 numbers each are more than the limit of 1073741824");
        assertThatThrownBy(() -> BuiltinGraphs.make("moons?nodes=1000000000")).isInstanceOf(BadConfiguration.class);
        assertThatThrownBy(() -> BuiltinGraphs.make("moons?homophily=much"))
                .hasMessage("expected NAME=NUMBER, got 'homophily=much'");
    }
}
