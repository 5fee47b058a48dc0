// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import dev.nescio.serve.state.Deadline;
import dev.nescio.serve.state.JointMap;
import dev.nescio.serve.state.State;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The nodes that wait for a person: those that are flagged and that nobody has decided about.
 *
 * @param total how many are flagged
 * @param open how many of them wait
 * @param first those to look at first
 */
record Queue(int total, int open, int[] first) {

    /** Of so many open nodes, the most uncertain ones, those are chosen that lie far from each other. */
    private static final int SPREAD_OVER = 2000;

    static Queue of(State state, boolean spread, int limit, Deadline deadline) {
        int total = (int) IntStream.range(0, state.nodes())
                .filter(deadline.on(state::isFlagged))
                .count();
        int[] open = openNodes(state, deadline);
        int[] first = Arrays.copyOf(open, Math.min(spread ? SPREAD_OVER : limit, open.length));
        return new Queue(total, open.length, spread ? JointMap.spread(state, first, limit, deadline) : first);
    }

    static int open(State state, Deadline deadline) {
        return openNodes(state, deadline).length;
    }

    /** The most uncertain first. */
    private static int[] openNodes(State state, Deadline deadline) {
        int[] order = state.view().order("epistemic");
        return IntStream.range(0, order.length)
                .map(i -> order[order.length - 1 - i])
                .filter(deadline.on(node -> state.isFlagged(node) && !state.isDecided(node)))
                .toArray();
    }
}
