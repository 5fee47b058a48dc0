// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import dev.nescio.serve.state.JointMap;
import dev.nescio.serve.state.State;
import java.util.Arrays;
import java.util.stream.IntStream;

/** The nodes that wait for a person: those that are flagged and that nobody has decided about. */
final class Queue {

    /** Of so many open nodes, the most uncertain ones, those are chosen that lie far from each other. */
    private static final int SPREAD_OVER = 2000;

    private Queue() {}

    static int total(State state) {
        return (int) IntStream.range(0, state.nodes()).filter(state::isFlagged).count();
    }

    static int open(State state) {
        return (int) openNodes(state).count();
    }

    /** The most uncertain first. */
    private static IntStream openNodes(State state) {
        int[] order = state.view().order("epistemic");
        return IntStream.range(0, order.length)
                .map(i -> order[order.length - 1 - i])
                .filter(state::isFlagged)
                .filter(node -> !state.isDecided(node));
    }

    static int[] first(State state, boolean spread, int limit) {
        int[] open = openNodes(state).limit(spread ? SPREAD_OVER : limit).toArray();
        return spread ? JointMap.spread(state, open, limit) : Arrays.copyOf(open, Math.min(limit, open.length));
    }
}
