// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty;

import dev.nescio.matrix.NdArray;
import dev.nescio.option.OptionGroup;
import dev.nescio.option.Options;
import dev.nescio.problem.BadConfiguration;
import java.util.Map;
import java.util.Set;

/**
 * A kind of epistemic uncertainty, known by its name. Says what it is, what it lets choose and what it needs; learns what is
 * ordinary. Has no state: fitting returns a new object.
 */
public interface Estimator {

    /** What there is to say about it. */
    About about();

    /** What the command line and saved detectors call it: {@code jlde-relative}. */
    default String name() {
        return about().name;
    }

    /**
     * What there is to say about an estimator.
     *
     * @param name what the command line and saved detectors call it
     * @param summary what it is and when to use it
     * @param input what it must be given, for people
     * @param paper where it comes from
     */
    record About(String name, String summary, String input, String paper) {}

    /** What can be chosen. */
    default OptionGroup options() {
        return OptionGroup.of(name());
    }

    /** What it must be shown beyond one forward pass. */
    default Set<Need> needs() {
        return Set.of();
    }

    /** Whether it predicts by itself, not as the logits say: {@link FittedEstimator#prediction} is then there. */
    default boolean predictsItself() {
        return false;
    }

    /** Whether it can score without having been fitted: it has no state. */
    default boolean learnsNothing() {
        return false;
    }

    /** Refuses to be fitted where something that it needs will not be there. */
    default void require(Options options, Available available) {
        for (Need need : needs()) {
            if (!available.met().contains(need)) {
                throw new BadConfiguration(
                        name() + " needs " + need.text() + "; " + available.source() + " does not provide that");
            }
        }
    }

    /** Learns from the training nodes of the evidence what is ordinary. Refuses evidence that lacks what it needs. */
    FittedEstimator fit(Options options, Evidence evidence);

    /** The inverse of {@link FittedEstimator#state}. */
    FittedEstimator load(Options options, Map<String, NdArray> state);

    /**
     * What there will be to look at, before anything is trained.
     *
     * @param source where it comes from, for messages: {@code res-gcn}
     * @param states number of hidden states
     * @param trainingNodes number of training nodes
     * @param met needs that will be met
     */
    record Available(String source, int states, int trainingNodes, Set<Need> met) {}
}
