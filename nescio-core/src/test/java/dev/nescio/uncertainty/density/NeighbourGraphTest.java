// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.density;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.problem.BadModelFile;
import java.util.List;
import org.junit.jupiter.api.Test;

class NeighbourGraphTest {

    @Test
    void aDamagedGraphIsRefused() {
        int[] two = {0, 1};
        NeighbourGraph.Level outside = new NeighbourGraph.Level(two, new int[] {0, 1, 2}, new int[] {1, 7});
        NeighbourGraph.Level falling = new NeighbourGraph.Level(two, new int[] {0, 2, 1}, new int[] {1});
        NeighbourGraph.Level sound = new NeighbourGraph.Level(two, new int[] {0, 1, 2}, new int[] {1, 0});

        assertThatThrownBy(() -> new NeighbourGraph(0, List.of(outside))).isInstanceOf(BadModelFile.class);
        assertThatThrownBy(() -> new NeighbourGraph(0, List.of(falling))).isInstanceOf(BadModelFile.class);
        assertThatThrownBy(() -> new NeighbourGraph(2, List.of(sound))).isInstanceOf(BadModelFile.class);
        assertThatThrownBy(() -> new NeighbourGraph(0, List.of())).isInstanceOf(BadModelFile.class);
    }
}
