// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty;

/** What some estimators must be shown besides one forward pass, because it costs more or not every network has it. */
public enum Need {
    /** The edges of the graph themselves, so that nodes cannot be scored apart from all others. */
    EDGES("the edges of the graph"),
    /** A second forward pass over the same nodes without any edge. */
    FORWARD_WITHOUT_EDGES("a forward pass without edges"),
    /** Several forward passes with dropout, or with weights that are drawn. */
    RANDOM_PASSES("several passes with dropout"),
    /** Several trained networks. */
    ENSEMBLE("several models, as in a detector trained with 'ensemble'"),
    /** The Dirichlet concentrations that only an evidential network has. */
    CONCENTRATIONS("an evidential model, which outputs evidence for each class");

    private final String text;

    Need(String text) {
        this.text = text;
    }

    /** What to tell somebody who lacks it. */
    public String text() {
        return text;
    }
}
