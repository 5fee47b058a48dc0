package dev.nescio.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.problem.BadConfiguration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class StratifiedSplitTest {

    private static int[] labels() {
        int[] labels = new int[310];
        Arrays.setAll(labels, i -> i < 200 ? 0 : i < 300 ? 1 : Graph.UNLABELLED);
        return labels;
    }

    @Test
    void cutsEachClassByItself() {
        Split split = StratifiedSplit.CITATION.draw("s", labels(), 2, 7);

        assertThat(split.train().size()).isEqualTo(15);
        assertThat(split.validation().size()).isEqualTo(45);
        assertThat(split.test().size()).isEqualTo(240);
        assertThat(split.train().filter(v -> v < 200).size()).isEqualTo(10);
        assertThat(split.bound()).isLessThanOrEqualTo(300);
    }

    @Test
    void sequentialSharesApplyToWhatIsLeft() {
        Split split = new StratifiedSplit(0.05, 0.15, true).draw("s", labels(), 2, 7);

        assertThat(split.train().size()).isEqualTo(10 + 5);
        assertThat(split.validation().size()).isEqualTo(28 + 14);
        assertThat(split.test().size()).isEqualTo(129 + 64);
    }

    @Test
    void isDeterminedByItsSeed() {
        assertThat(StratifiedSplit.CITATION.draw("s", labels(), 2, 1))
                .isEqualTo(StratifiedSplit.CITATION.draw("s", labels(), 2, 1))
                .isNotEqualTo(StratifiedSplit.CITATION.draw("s", labels(), 2, 2));
    }

    @Test
    void rejectsSharesThatLeaveNothing() {
        assertThatThrownBy(() -> new StratifiedSplit(0.5, 0.5, false)).isInstanceOf(BadConfiguration.class);
    }
}
