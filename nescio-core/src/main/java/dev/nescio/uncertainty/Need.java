// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty;

/** What some estimators must be shown besides one forward pass, because it costs more or not every network has it. */
public enum Need {
    EDGES("the edges of the graph"),
    FORWARD_WITHOUT_EDGES("a forward pass without edges"),
    RANDOM_PASSES("several passes with dropout"),
    ENSEMBLE("several models, as in a detector trained with 'ensemble'"),
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
