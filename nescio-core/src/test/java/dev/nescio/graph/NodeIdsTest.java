// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.graph.split.SplitRules;
import dev.nescio.matrix.NdArray;
import dev.nescio.problem.BadConfiguration;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeIdsTest {

    @Test
    void aNumberHasOneNameOnly() {
        NodeIds ids = NodeIds.numbered(10);
        assertThat(ids.find("7")).hasValue(7);
        assertThat(ids.find("+7")).isEmpty();
        assertThat(ids.find("007")).isEmpty();
        assertThat(ids.followedBy(List.of("007")).find("007")).hasValue(10);
    }

    @Test
    void aShapeHasNoNegativeSides() {
        assertThatThrownBy(() -> new NdArray.Ints(new int[] {-2, -1}, new int[2]))
                .hasMessage("shape [-2, -1] does not hold 2 values");
    }

    @Test
    void aSplitThatIsNoNumberIsNamedAsItIs() {
        Graph graph = Graph.builder("plain", Adjacency.empty(60)).build();
        assertThatThrownBy(() -> SplitRules.choose(graph, "99999999999"))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage("expected the name of a split or a whole number of at most ten digits, got '99999999999'");
    }
}
