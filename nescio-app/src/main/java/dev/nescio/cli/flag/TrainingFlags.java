// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.flag;

import dev.nescio.model.TrainingOptions;

/** How a network is trained. */
public final class TrainingFlags extends OptionFlags {

    public TrainingFlags() {
        super(TrainingOptions.GROUP);
    }

    @Override
    public String heading() {
        return "Training";
    }

    public TrainingOptions options() {
        return new TrainingOptions(TrainingOptions.GROUP.parse(given()));
    }
}
