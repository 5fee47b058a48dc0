// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.problem.BadConfiguration;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharesSplitTest {

    /** A graph without edges whose classes have these sizes, and some nodes without a label. */
    private static Graph graph(int unlabelled, int... sizes) {
        int[] labels = IntStream.concat(
                        IntStream.range(0, sizes.length)
                                .flatMap(c -> IntStream.generate(() -> c).limit(sizes[c])),
                        IntStream.generate(() -> Graph.UNLABELLED).limit(unlabelled))
                .toArray();
        return Graph.builder("made", Adjacency.empty(labels.length))
                .labels(labels, sizes.length)
                .build();
    }

    private static long count(NodeSet nodes, Graph graph, int label) {
        return nodes.stream().filter(v -> graph.label(v) == label).count();
    }

    @Test
    void sharesOutTheLabelledNodesOfEachClass() {
        Graph graph = graph(900, 50, 30, 20);
        Split split = SplitRules.choose(graph, "60/20/20:3");

        assertThat(split.name()).isEqualTo("60/20/20:3");
        assertThat(new int[] {
                    split.train().size(),
                    split.validation().size(),
                    split.test().size()
                })
                .containsExactly(60, 20, 20);
        assertThat(count(split.train(), graph, 0)).isEqualTo(30);
        assertThat(count(split.validation(), graph, 1)).isEqualTo(6);
        assertThat(count(split.test(), graph, 2)).isEqualTo(4);
        assertThat(SplitRules.choose(graph, "60/20/20:3")).isEqualTo(split);
        assertThat(SplitRules.choose(graph, "60/20/20:4")).isNotEqualTo(split);
        assertThat(SplitRules.choose(graph, "60/20/20").name()).isEqualTo("60/20/20:0");
        assertThat(SplitRules.first(graph).train().size()).isEqualTo(60);
    }

    /** 27 labels in nine classes of three: rounding class by class would leave some set empty. */
    @Test
    void smallClassesTeachAndTheSetsHaveTheirShares() {
        int[] sizes = new int[9];
        Arrays.fill(sizes, 3);
        Graph graph = graph(0, sizes);
        Split split = SharesSplit.MOST.draw(graph, 0);

        for (int c = 0; c < sizes.length; c++) {
            assertThat(count(split.train(), graph, c)).isPositive();
        }
        assertThat(split.train().size()).isBetween(16, 18);
        assertThat(split.validation().size()).isBetween(4, 6);
        assertThat(split.test().size()).isBetween(4, 6);
    }

    @Test
    void aClassOfOneNodeTeaches() {
        Graph graph = graph(0, 1, 40);

        assertThat(count(SharesSplit.MOST.draw(graph, 0).train(), graph, 0)).isEqualTo(1);
    }

    @Test
    void lessThanEverythingLeavesNodesOut() {
        Split split = SplitRules.choose(graph(0, 100), "10/10/30:1");

        assertThat(split.train().size()
                        + split.validation().size()
                        + split.test().size())
                .isEqualTo(50);
    }

    @ParameterizedTest
    @ValueSource(strings = {"60/30/20", "0/50/50", "100/0/0"})
    void sharesThatMakeNoSenseAreRefused(String text) {
        assertThatThrownBy(() -> SplitRules.choose(graph(0, 10, 10), text))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage(
                        "a split such as 60/20/20 has three whole percentages of at least 1 that make at most 100, got "
                                + text);
    }

    @Test
    void tooFewLabelsAreNamed() {
        assertThatThrownBy(() -> SharesSplit.MOST.draw(graph(5, 1, 1), 0))
                .hasMessage(
                        "made has 2 labelled nodes; to train, validate and test it takes at least 3, and several for each class");
    }
}
