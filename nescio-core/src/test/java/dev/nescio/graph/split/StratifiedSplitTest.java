// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.problem.BadConfiguration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class StratifiedSplitTest {

    private static Graph graph() {
        int[] labels = new int[310];
        Arrays.setAll(labels, i -> i < 200 ? 0 : i < 300 ? 1 : Graph.UNLABELLED);
        return HalvingSplitTest.graph(labels, 2);
    }

    @Test
    void cutsEachClassByItself() {
        Split split = StratifiedSplit.CITATION.draw(graph(), 7);

        assertThat(split.train().size()).isEqualTo(15);
        assertThat(split.validation().size()).isEqualTo(45);
        assertThat(split.test().size()).isEqualTo(240);
        assertThat(split.train().filter(v -> v < 200).size()).isEqualTo(10);
        assertThat(split.bound()).isLessThanOrEqualTo(300);
    }

    @Test
    void sequentialSharesApplyToWhatIsLeft() {
        Split split = StratifiedSplit.SEQUENTIAL.draw(graph(), 7);

        assertThat(split.train().size()).isEqualTo(10 + 5);
        assertThat(split.validation().size()).isEqualTo(28 + 14);
        assertThat(split.test().size()).isEqualTo(129 + 64);
    }

    @Test
    void isDeterminedByItsSeed() {
        assertThat(StratifiedSplit.CITATION.draw(graph(), 1))
                .isEqualTo(StratifiedSplit.CITATION.draw(graph(), 1))
                .isNotEqualTo(StratifiedSplit.CITATION.draw(graph(), 2));
    }

    @Test
    void rejectsSharesThatLeaveNothing() {
        assertThatThrownBy(() -> new StratifiedSplit("none", 0.5, 0.5, false)).isInstanceOf(BadConfiguration.class);
    }
}
