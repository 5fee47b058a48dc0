// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty;

import java.util.List;

/**
 * Why a node has its JLDE score. Exact, not an approximation: the squared distance of joined states is the sum over the
 * states, so each score splits into what every state contributes.
 *
 * @param score the node's score
 * @param contributions of each state, in the order of the states; their sum is the score
 * @param neighbours the training nodes that the node was compared with, nearest first
 */
public record Explanation(double score, List<Contribution> contributions, List<Neighbour> neighbours) {

    /** Keeps unmodifiable copies of both lists. */
    public Explanation {
        contributions = List.copyOf(contributions);
        neighbours = List.copyOf(neighbours);
    }

    /**
     * What one hidden state adds to a score.
     *
     * @param state its number; -1 is the features of the node
     * @param aspect of the state
     */
    public record Contribution(int state, Aspect aspect, double amount) {

        /** Of a state as a whole. */
        public Contribution(int state, double amount) {
            this(state, Aspect.WHOLE, amount);
        }
    }

    /** What it is about a state that contributes. */
    public enum Aspect {
        /** The state as a whole. */
        WHOLE(""),
        /** Where the state points, whatever its length. */
        DIRECTION("points elsewhere"),
        /** How long the state is, wherever it points. */
        LENGTH("longer or shorter");

        private final String words;

        Aspect(String words) {
            this.words = words;
        }

        /** The aspect in words for people; empty for {@link #WHOLE}. */
        public String words() {
            return words;
        }
    }

    /**
     * A training node.
     *
     * @param node its number in the graph that the estimator was fitted on
     * @param position among the training nodes, by their numbers
     * @param distance from the explained node in the joint embedding
     */
    public record Neighbour(int node, int position, double distance) {}
}
