// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import dev.nescio.option.Option;
import dev.nescio.option.OptionGroup;
import dev.nescio.option.Options;
import dev.nescio.uncertainty.Estimator;

/** What the JLDE family shares: which hidden states are joined, and how. */
abstract class JointEstimator implements Estimator {

    private final About about;
    private final OptionGroup options;

    /** @param own options that only this one has */
    JointEstimator(About about, Option<?>... own) {
        this.about = about;
        this.options = JointStates.GROUP.and(about.name(), own);
    }

    @Override
    public final About about() {
        return about;
    }

    @Override
    public final OptionGroup options() {
        return options;
    }

    @Override
    public void require(Options values, Available available) {
        Estimator.super.require(values, available);
        JointStates.statesOf(values, available.states());
    }
}
