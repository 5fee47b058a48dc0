// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import dev.nescio.matrix.NdArray;
import dev.nescio.option.Kind;
import dev.nescio.option.Option;
import dev.nescio.option.OptionGroup;
import dev.nescio.option.Options;
import dev.nescio.progress.Progress;
import dev.nescio.uncertainty.Estimator;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.FittedEstimator;
import dev.nescio.uncertainty.Need;
import dev.nescio.uncertainty.Prediction;
import dev.nescio.uncertainty.Samples;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Uncertainty by disagreement: several networks (an ensemble) or several passes with dropout say different things about a
 * node. Predicts by the mean of what they say, and learns nothing by itself.
 */
public final class Sampling implements Estimator, FittedEstimator {

    /** To disagree, it takes two. */
    private static final Kind<Integer> SEVERAL = new Kind<>(
            "N",
            "a whole number from 2 to 10000",
            text -> {
                int value = Integer.parseInt(text);
                if (value < 2 || value > 10_000) {
                    throw new IllegalArgumentException(text);
                }
                return value;
            },
            String::valueOf);

    /** Number of passes with dropout, from 2 to 10,000; 50 by default. */
    public static final Option<Integer> PASSES = Option.of("passes", SEVERAL, 50, "Number of passes with dropout.");
    /** Number of networks in an ensemble, from 2 to 10,000; 10 by default. */
    public static final Option<Integer> MEMBERS =
            Option.of("members", SEVERAL, 10, "Number of models in the ensemble.");

    private static final String ENSEMBLES =
            "Simple and Scalable Predictive Uncertainty Estimation using Deep Ensembles, NeurIPS 2017";
    private static final String DROPOUT = "Dropout as a Bayesian Approximation, ICML 2016";

    static final Sampling MCD = passes(
            "mcd",
            "variance of the softmax over passes with dropout; needs no fit, costs many passes",
            DROPOUT,
            Samples::variance);
    static final Sampling MCD_INFORMATION = passes(
            "mcd-information",
            "mutual information over passes with dropout",
            "Deep Bayesian Active Learning with Image Data, ICML 2017",
            Samples::mutualInformation);
    static final Sampling MCD_ENTROPY = passes(
            "mcd-entropy",
            "entropy of the mean softmax over passes with dropout: noise and ignorance together",
            DROPOUT,
            Samples::entropy);
    static final Sampling ENSEMBLE = ensemble(
            "ensemble",
            "variance of the softmax over several trained networks; costs many trainings, predicts best",
            Samples::variance);
    static final Sampling ENSEMBLE_INFORMATION = ensemble(
            "ensemble-information", "mutual information over several trained networks", Samples::mutualInformation);
    static final Sampling ENSEMBLE_ENTROPY = ensemble(
            "ensemble-entropy",
            "entropy of the mean softmax over several trained networks: noise and ignorance together",
            Samples::entropy);

    private final About about;
    private final Need source;
    private final Option<Integer> count;
    private final Function<Samples, double[]> measure;

    private Sampling(About about, Need source, Option<Integer> count, Function<Samples, double[]> measure) {
        this.about = about;
        this.source = source;
        this.count = count;
        this.measure = measure;
    }

    private static Sampling passes(String name, String summary, String paper, Function<Samples, double[]> measure) {
        Need source = Need.RANDOM_PASSES;
        return new Sampling(new About(name, summary, source.text(), paper), source, PASSES, measure);
    }

    private static Sampling ensemble(String name, String summary, Function<Samples, double[]> measure) {
        Need source = Need.ENSEMBLE;
        return new Sampling(new About(name, summary, source.text(), ENSEMBLES), source, MEMBERS, measure);
    }

    @Override
    public About about() {
        return about;
    }

    @Override
    public OptionGroup options() {
        return OptionGroup.of(name(), count);
    }

    @Override
    public Set<Need> needs() {
        return Set.of(source);
    }

    @Override
    public boolean predictsItself() {
        return true;
    }

    @Override
    public boolean learnsNothing() {
        return true;
    }

    @Override
    public FittedEstimator fit(Options options, Evidence evidence) {
        return this;
    }

    @Override
    public FittedEstimator load(Options options, Map<String, NdArray> state) {
        return this;
    }

    @Override
    public double[] score(Evidence evidence, Progress progress) {
        return measure.apply(evidence.requireSamples(name(), source));
    }

    @Override
    public Prediction prediction(Evidence evidence) {
        return evidence.requireSamples(name(), source).prediction();
    }

    @Override
    public Map<String, NdArray> state() {
        return Map.of();
    }
}
