// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class HomophilyTest {

    /** A path a - a - b - b with a loose node of class b: three edges, two of them within a class. */
    @Test
    void matchesTheHandComputedPath() {
        Adjacency path = Adjacency.undirected(5, new int[] {0, 1, 2}, new int[] {1, 2, 3})
                .adjacency();
        Homophily h = Homophily.of(path, new int[] {0, 0, 1, 1, 1}, 2);

        assertThat(h.edge()).isCloseTo(2.0 / 3, within(1e-12));
        assertThat(h.node()).isCloseTo((1 + 0.5 + 0.5 + 1) / 4, within(1e-12));
        assertThat(h.classInsensitive()).isCloseTo((2.0 / 3 - 0.4) + (2.0 / 3 - 0.6), within(1e-12));
        assertThat(h.adjusted()).isCloseTo((2.0 / 3 - 0.5) / 0.5, within(1e-12));
        assertThat(h.compatibility()[0]).containsExactly(2.0 / 3, 1.0 / 3);
        assertThat(h.compatibility()[1]).containsExactly(1.0 / 3, 2.0 / 3);
    }

    @Test
    void edgesToUnlabelledNodesDoNotCount() {
        Adjacency path =
                Adjacency.undirected(3, new int[] {0, 1}, new int[] {1, 2}).adjacency();
        Homophily h = Homophily.of(path, new int[] {0, 0, Graph.UNLABELLED}, 1);

        assertThat(h.edge()).isEqualTo(1);
        assertThat(h.node()).isEqualTo(1);
    }
}
