// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.flag;

import dev.nescio.graph.Preprocessing;

/** How the features of a graph are prepared. */
public final class PreprocessingFlags extends OptionFlags {

    public PreprocessingFlags() {
        super(Preprocessing.GROUP);
    }

    @Override
    public String heading() {
        return "Features";
    }

    public Preprocessing preprocessing() {
        return new Preprocessing(Preprocessing.GROUP.parse(given()));
    }
}
