package dev.nescio.uncertainty.estimator;

import dev.nescio.matrix.NdArray;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.uncertainty.Estimator;
import dev.nescio.uncertainty.FittedEstimator;
import dev.nescio.uncertainty.Need;
import dev.nescio.uncertainty.Samples;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The registry of estimators. */
public final class Estimators {

    private static final List<Entry> ALL = List.of(
            new Entry(
                    "jlde",
                    "nearest training nodes in all layers joined; the default, strong under heterophily",
                    "hidden states",
                    Set.of(),
                    "Joint Latent Density Estimation, ICML 2025",
                    Jlde::new,
                    Jlde::load),
            new Entry(
                    "jlde-kde",
                    "Gaussian kernels on the training nodes in all layers joined; smoother than jlde",
                    "hidden states",
                    Set.of(),
                    "Joint Latent Density Estimation, ICML 2025",
                    JldeKernels::new,
                    (options, state) -> JldeKernels.load(state)),
            new Entry(
                    "jlde-mixture",
                    "one Gaussian per class in all layers joined; cheap, for classes with many training nodes",
                    "hidden states, training labels",
                    Set.of(),
                    "Joint Latent Density Estimation, ICML 2025",
                    JldeMixture::new,
                    JldeMixture::load),
            new Entry(
                    "ebm",
                    "energy of the logits; free, a baseline",
                    "logits",
                    Set.of(),
                    "Energy-based Out-of-distribution Detection, NeurIPS 2020",
                    options -> new Ebm(),
                    (options, state) -> new Ebm()),
            new Entry(
                    "gnnsafe",
                    "energy of the logits, averaged with the neighbours'; for homophilic graphs",
                    "logits, graph",
                    Set.of(Need.EDGES),
                    "Energy-based Out-of-Distribution Detection for Graph Neural Networks, ICLR 2023",
                    options -> new GnnSafe(),
                    (options, state) -> new GnnSafe()),
            new Entry(
                    "gebm",
                    "energies at three scales of the graph, corrected by distance; for homophilic graphs",
                    "logits, last state, training labels, graph, a second forward pass without edges",
                    Set.of(Need.EDGES, Need.FORWARD_WITHOUT_EDGES),
                    "Energy-based Epistemic Uncertainty for Graph Neural Networks, NeurIPS 2024",
                    options -> new Gebm(),
                    (options, state) -> Gebm.FittedGebm.of(state)),
            sampling(
                    "mcd",
                    "variance of the softmax over passes with dropout; needs no fit, costs many passes",
                    Need.RANDOM_PASSES,
                    "Dropout as a Bayesian Approximation, ICML 2016",
                    Samples::variance),
            sampling(
                    "mcd-information",
                    "mutual information over passes with dropout",
                    Need.RANDOM_PASSES,
                    "Deep Bayesian Active Learning with Image Data, ICML 2017",
                    Samples::mutualInformation),
            sampling(
                    "mcd-entropy",
                    "entropy of the mean softmax over passes with dropout: noise and ignorance together",
                    Need.RANDOM_PASSES,
                    "Dropout as a Bayesian Approximation, ICML 2016",
                    Samples::entropy),
            sampling(
                    "ensemble",
                    "variance of the softmax over several trained networks; costs many trainings, predicts best",
                    Need.ENSEMBLE,
                    "Simple and Scalable Predictive Uncertainty Estimation using Deep Ensembles, NeurIPS 2017",
                    Samples::variance),
            sampling(
                    "ensemble-information",
                    "mutual information over several trained networks",
                    Need.ENSEMBLE,
                    "Simple and Scalable Predictive Uncertainty Estimation using Deep Ensembles, NeurIPS 2017",
                    Samples::mutualInformation),
            sampling(
                    "ensemble-entropy",
                    "entropy of the mean softmax over several trained networks: noise and ignorance together",
                    Need.ENSEMBLE,
                    "Simple and Scalable Predictive Uncertainty Estimation using Deep Ensembles, NeurIPS 2017",
                    Samples::entropy),
            new Entry(
                    "evidential",
                    "how little evidence an evidential network has; free, for such networks only",
                    Need.CONCENTRATIONS.text(),
                    Set.of(Need.CONCENTRATIONS),
                    "Evidential Deep Learning to Quantify Classification Uncertainty, NeurIPS 2018",
                    options -> new Evidential(),
                    (options, state) -> new Evidential()));

    private Estimators() {}

    /**
     * One estimator.
     *
     * @param summary what it is and when to use it
     * @param needs what it must be given
     * @param extra those of its needs that one forward pass does not meet
     * @param paper where it comes from
     */
    public record Entry(
            String name,
            String summary,
            String needs,
            Set<Need> extra,
            String paper,
            Function<JldeOptions, Estimator> make,
            BiFunction<JldeOptions, Map<String, NdArray>, FittedEstimator> load) {}

    private static Entry sampling(
            String name, String summary, Need source, String paper, Function<Samples, double[]> measure) {
        Sampling sampling = new Sampling(name, source, measure);
        return new Entry(
                name, summary, source.text(), Set.of(source), paper, options -> sampling, (options, state) -> sampling);
    }

    public static List<Entry> all() {
        return ALL;
    }

    public static Estimator make(String name, JldeOptions options) {
        return entry(name).make.apply(options);
    }

    /** A fitted estimator from what {@link FittedEstimator#state} returned. */
    public static FittedEstimator load(String name, JldeOptions options, Map<String, NdArray> state) {
        return entry(name).load.apply(options, state);
    }

    /** Whether an estimator has no state: it can score without having been fitted. */
    public static boolean learnsNothing(String name) {
        return entry(name).make.apply(JldeOptions.defaults()) instanceof FittedEstimator;
    }

    /** Whether an estimator predicts by itself, not as the logits say. */
    public static boolean predictsItself(String name) {
        return entry(name).extra.contains(Need.RANDOM_PASSES)
                || entry(name).extra.contains(Need.ENSEMBLE);
    }

    /** Whether one of some estimators needs something. */
    public static boolean anyNeeds(List<String> names, Need need) {
        return names.stream().anyMatch(name -> entry(name).extra.contains(need));
    }

    private static Entry entry(String name) {
        return ALL.stream()
                .filter(e -> e.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new BadConfiguration("there is no estimator '" + name + "'; there are "
                        + ALL.stream().map(Entry::name).collect(Collectors.joining(", "))));
    }
}
