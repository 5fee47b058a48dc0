// SPDX-License-Identifier: Apache-2.0
package dev.nescio.shift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Preprocessing;
import dev.nescio.graph.Split;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.problem.BadConfiguration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every shift in the registry promises. */
class ShiftsTest {

    private final Graph graph = BuiltinGraphs.make("blocks?nodes=200");
    private final Split split = graph.split("0");
    private final Shift.Setting setting =
            new Shift.Setting(graph, Preprocessing.of(false, Preprocessing.RowNorm.L2), split, Set.of(4), 3);

    @ParameterizedTest
    @MethodSource("dev.nescio.shift.Shifts#all")
    void strangeNodesAreTestNodesAndOrdinaryOnesAreAsTheyWere(Shift shift) {
        Shift.Shifted shifted = shift.apply(setting);
        NodeSet ordinary = split.test().filter(v -> !shifted.strange().contains(v));

        assertThat(shift.meaning()).isNotBlank();
        assertThat(Shifts.named(shift.name())).isSameAs(shift);
        assertThat(shift.toString()).isEqualTo(shift.name());
        assertThat(shifted.strange().stream()).allMatch(split.test()::contains);
        assertThat(shifted.strange().isEmpty()).isEqualTo(shift == Shifts.CLEAN);
        assertThat(shifted.prepared().adjacency()).isEqualTo(graph.adjacency());
        Graph clean = setting.preprocessing().apply(graph);
        for (int v : ordinary.toArray()) {
            for (int i = 0; i < clean.features().columns(); i++) {
                assertThat(shifted.prepared().features().get(v, i))
                        .isEqualTo(clean.features().get(v, i));
            }
        }
        assertThat(shift.apply(setting).strange()).isEqualTo(shifted.strange());
    }

    @Test
    void unknownShiftsAreRefused() {
        assertThatThrownBy(() -> Shifts.named("neer"))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage("there is no shift 'neer'; did you mean 'near'? There are clean, leave-out, near, far");
    }
}
