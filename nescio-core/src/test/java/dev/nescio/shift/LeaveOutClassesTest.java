// SPDX-License-Identifier: Apache-2.0
package dev.nescio.shift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.problem.BadConfiguration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeaveOutClassesTest {

    private final Graph graph = BuiltinGraphs.make("blocks?nodes=100");
    private final Split split = graph.split("0");
    private final LeaveOutClasses shift = new LeaveOutClasses(graph, Set.of(0, 3));

    @Test
    void remainingClassesAreNumberedAnewAndKeepTheirNames() {
        Graph seen = shift.graph();

        assertThat(seen.classes()).containsExactly("1", "2", "4");
        for (int v = 0; v < 100; v++) {
            boolean leftOut = graph.label(v) == 0 || graph.label(v) == 3;
            assertThat(shift.isLeftOut(v)).isEqualTo(leftOut);
            assertThat(seen.label(v)).isEqualTo(leftOut ? -1 : graph.label(v) == 4 ? 2 : graph.label(v) - 1);
        }
        assertThat(seen.adjacency()).isSameAs(graph.adjacency());
    }

    @Test
    void trainingAndValidationLoseThemAndTheTestKeepsThem() {
        Split seen = shift.split(split);

        assertThat(seen.train().stream()).noneMatch(shift::isLeftOut);
        assertThat(seen.validation().stream()).noneMatch(shift::isLeftOut);
        assertThat(seen.test()).isEqualTo(split.test());
    }

    @Test
    void somethingMustBeLeftToLearn() {
        assertThatThrownBy(() -> new LeaveOutClasses(graph, Set.of(0, 1, 2, 3)))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage("leaving out 4 of 5 classes leaves fewer than 2 to learn");
        assertThatThrownBy(() -> new LeaveOutClasses(graph, Set.of(5)))
                .hasMessage("blocks has no class 5 to leave out; classes go from 0 to 4");
    }
}
