// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import dev.nescio.decision.Calibration;
import dev.nescio.decision.FalseAlarms;
import dev.nescio.decision.LabelSets;
import dev.nescio.decision.PValues;
import dev.nescio.decision.RiskCoverage;
import dev.nescio.decision.Rounding;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What to do about every node, by comparing it with the ordinary nodes that a detector knows. What was not asked for is null.
 *
 * @param pValues share of ordinary nodes that are at least as uncertain, NaN for training nodes; null where none are known
 * @param flagged nodes that are more uncertain than ordinary ones, {@link Wishes#alpha} of which are flagged too
 * @param listed nodes of which at most {@link Wishes#falseAlarms} are ordinary, on average
 * @param abstains nodes whose prediction is too doubtful for {@link Wishes#accuracy}
 * @param labels labels that hold the true one but for {@link Wishes#missedLabels} of all nodes
 * @param remarks what a user should know about these decisions
 */
public record Decisions(
        double @Nullable [] pValues,
        boolean @Nullable [] flagged,
        boolean @Nullable [] listed,
        boolean @Nullable [] abstains,
        @Nullable List<List<String>> labels,
        List<String> remarks) {

    /**
     * What is asked for; null for nothing.
     *
     * @param alpha share of ordinary nodes that may be flagged
     * @param falseAlarms share of a list of unusual nodes that may be ordinary
     * @param accuracy of the predictions that are made
     * @param missedLabels how often a set of labels may lack the true one
     */
    public record Wishes(
            @Nullable Double alpha,
            @Nullable Double falseAlarms,
            @Nullable Double accuracy,
            @Nullable Double missedLabels)
            implements Serializable {

        /** Asks for nothing: {@link Decisions#of} gives p-values alone, and those only where ordinary nodes are known. */
        public static final Wishes NONE = new Wishes(null, null, null, null);

        /** The same, and nodes are flagged that are more uncertain than all but this share of ordinary ones. */
        public Wishes withAlpha(double share) {
            return new Wishes(share, falseAlarms, accuracy, missedLabels);
        }

        /** The same, and unusual nodes are listed, of which at most this share is ordinary, on average. */
        public Wishes withFalseAlarms(double share) {
            return new Wishes(alpha, share, accuracy, missedLabels);
        }

        /** The same, and predictions are made only as far as they are this accurate on held-out nodes. */
        public Wishes withAccuracy(double wished) {
            return new Wishes(alpha, falseAlarms, wished, missedLabels);
        }

        /** The same, and every node gets a set of labels that lacks the true one at most this often. */
        public Wishes withMissedLabels(double share) {
            return new Wishes(alpha, falseAlarms, accuracy, share);
        }

        /** Whether something is asked for that needs nodes to compare with. */
        boolean areAny() {
            return alpha != null || falseAlarms != null || accuracy != null || missedLabels != null;
        }
    }

    /**
     * Decides about every scored node as the wishes say, by the first estimator. Refuses wishes that need held-out nodes, or
     * their labels, where the detector knows none.
     *
     * <pre>{@code
     * Decisions decisions = Decisions.of(scores, Decisions.Wishes.NONE.withAlpha(0.05).withAccuracy(0.9));
     * boolean[] flagged = decisions.flagged();
     * decisions.remarks().forEach(System.out::println);
     * }</pre>
     */
    public static Decisions of(Scores scores, Wishes wishes) {
        Calibration calibration = scores.calibration();
        if (!calibration.knows(scores.estimator()) && !wishes.areAny()) {
            return new Decisions(null, null, null, null, null, List.of());
        }
        List<String> remarks = new ArrayList<>();
        boolean needsScores = wishes.alpha != null || wishes.falseAlarms != null;
        PValues ordinary =
                needsScores || calibration.knows(scores.estimator()) ? calibration.pValues(scores.estimator()) : null;
        double[] pValues = ordinary == null ? null : scores.pValues();
        warnOfFewNodes(wishes, scores, remarks);
        long training =
                IntStream.range(0, scores.nodes()).filter(scores::isTraining).count();
        if (training > 0 && pValues != null) {
            remarks.add(String.format(
                    Locale.ROOT,
                    "%,d of %,d nodes are training nodes: they have no p-value and are never flagged or listed",
                    training,
                    scores.nodes()));
        }
        return new Decisions(
                pValues,
                wishes.alpha == null || ordinary == null
                        ? null
                        : flagged(scores, ordinary, wishes.alpha, calibration, remarks),
                wishes.falseAlarms == null || pValues == null ? null : FalseAlarms.bounded(pValues, wishes.falseAlarms),
                wishes.accuracy == null ? null : abstains(scores, wishes.accuracy, calibration, remarks),
                wishes.missedLabels == null
                        ? null
                        : labels(scores, calibration.labelSets(scores.predictor(), wishes.missedLabels)),
                remarks);
    }

    private static void warnOfFewNodes(Wishes wishes, Scores scores, List<String> remarks) {
        Calibration calibration = scores.calibration();
        int labelled = calibration.labelled(scores.predictor());
        Double missed = wishes.missedLabels;
        if (missed != null && missed * (1 + labelled) < 1) {
            remarks.add(String.format(
                    Locale.ROOT,
                    "label sets that miss the true label at most %s of the time need %d labelled held-out nodes, but there are %d: every set holds all"
                            + " labels",
                    missed,
                    (long) Math.ceil(1 / missed) - 1,
                    labelled));
        }
        Double alarms = wishes.falseAlarms;
        if (alarms != null && calibration.nodes() * alarms < 1) {
            remarks.add(String.format(
                    Locale.ROOT,
                    "%d held-out nodes are few for a list with a false-alarm share of %s: it may be empty",
                    calibration.nodes(),
                    alarms));
        }
    }

    private static boolean[] flagged(
            Scores scores, PValues ordinary, double alpha, Calibration calibration, List<String> remarks) {
        double threshold = ordinary.threshold(alpha);
        int held = ordinary.size();
        if (Double.isInfinite(threshold)) {
            remarks.add(String.format(
                    Locale.ROOT,
                    "nothing can be flagged at alpha %s: %d held-out nodes are too few, at least %d are needed",
                    alpha,
                    held,
                    (long) Math.ceil(1 / alpha) - 1));
        } else if (ordinary.areFewFor(alpha)) {
            remarks.add(String.format(
                    Locale.ROOT,
                    "%d held-out nodes are few for alpha %s: the true share may be as high as %.3f",
                    held,
                    alpha,
                    ordinary.highestShare(alpha)));
        }
        if (Double.isFinite(threshold)) {
            remarks.add(String.format(
                    Locale.ROOT,
                    "flagged: %s above %.6g, the level of alpha %s among %d %s",
                    scores.estimator(),
                    threshold,
                    alpha,
                    held,
                    calibration.source()));
        }
        boolean[] flags = new boolean[scores.nodes()];
        for (int i = 0; i < flags.length; i++) {
            flags[i] = !scores.isTraining(i) && scores.epistemic()[i] > threshold;
        }
        return flags;
    }

    private static boolean[] abstains(Scores scores, double accuracy, Calibration calibration, List<String> remarks) {
        Optional<RiskCoverage.Point> point =
                calibration.riskCoverage(scores.predictor()).forAccuracy(accuracy);
        boolean[] abstains = new boolean[scores.nodes()];
        if (point.isEmpty()) {
            remarks.add(String.format(
                    Locale.ROOT,
                    "no threshold reaches an accuracy of %.3f on the held-out nodes: abstaining everywhere",
                    accuracy));
            Arrays.fill(abstains, true);
            return abstains;
        }
        RiskCoverage.Point chosen = point.get();
        remarks.add(String.format(
                Locale.ROOT,
                "predicting where aleatoric is at most %.6g: %.1f %% of the held-out nodes, %.1f %% of them right (for this threshold alone,"
                        + " at least %.1f %% with 95 %% confidence)",
                chosen.threshold(),
                100 * chosen.coverage(),
                100 * chosen.accuracy(),
                100 * chosen.lowest()));
        for (int i = 0; i < abstains.length; i++) {
            abstains[i] = scores.aleatoric(i) > Rounding.above(chosen.threshold());
        }
        return abstains;
    }

    private static List<List<String>> labels(Scores scores, LabelSets sets) {
        int classes = scores.classes().size();
        double[] distribution = scores.prediction().distribution();
        List<List<String>> labels = new ArrayList<>();
        for (int i = 0; i < scores.nodes(); i++) {
            BitSet set = sets.of(Arrays.copyOfRange(distribution, i * classes, (i + 1) * classes));
            labels.add(set.stream().mapToObj(scores.classes()::get).toList());
        }
        return labels;
    }
}
