// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import dev.nescio.decision.Drift;
import dev.nescio.decision.FalseAlarms;
import dev.nescio.decision.SampleTests;
import dev.nescio.decision.TwoSample;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Overlay;
import dev.nescio.graph.TableSchema;
import dev.nescio.matrix.Matrix;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.random.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Whether a batch of nodes still looks like the held-out nodes of a detector: its scores, its hidden states, its predicted classes,
 * its degrees, its features.
 *
 * @param nodes of the batch
 * @param ordinary held-out nodes whose scores are compared with
 * @param reference those of them whose states and features are compared with; 0 where a detector has kept none
 * @param scores what the scores say
 * @param tests one per thing that is compared
 * @param moved features that have moved, of which at most {@link #FALSE_DISCOVERIES} have not; the surest first
 */
public record DriftReport(int nodes, int ordinary, int reference, Drift scores, List<Test> tests, List<Moved> moved) {

    /** Share of the moved features that may not have moved, on average. */
    public static final double FALSE_DISCOVERIES = 0.05;

    /** Nodes of a batch below which silence means nothing. */
    public static final int ENOUGH_NODES = 20;

    /** Held-out nodes below which silence means nothing. */
    public static final int ENOUGH_ORDINARY = 50;

    private static final int TESTS = 6;
    private static final int FEWEST_PERMUTATIONS = 1000;
    private static final int MOST_PERMUTATIONS = 20_000;

    /**
     * One comparison.
     *
     * @param what is compared
     * @param measure of the difference, for people
     * @param difference 0 where there is none
     * @param pValue how often ordinary batches differ at least as much
     */
    public record Test(String what, String measure, double difference, double pValue) {}

    /**
     * A feature that has moved.
     *
     * @param usual its mean over the reference nodes, in the units of its table where it came from one
     * @param now its mean over the batch
     */
    public record Moved(String feature, double usual, double now, double pValue) {}

    /** Keeps unmodifiable copies of both lists. */
    public DriftReport {
        tests = List.copyOf(tests);
        moved = List.copyOf(moved);
    }

    /**
     * @param alpha share of ordinary nodes that are flagged
     * @param level of a false alarm; decides how many permutations are worth while
     */
    public static DriftReport of(Detector detector, Graph raw, NodeSet batch, double alpha, double level) {
        return of(detector, Overlay.on(raw), batch, alpha, level);
    }

    /** The same on a graph to which something was added. */
    public static DriftReport of(Detector detector, Overlay raw, NodeSet batch, double alpha, double level) {
        requireLevels(alpha, level);
        Scores scores = detector.score(raw, batch);
        Drift drift = Drift.of(detector.calibration().pValues(scores.estimator()), scores.epistemic(), alpha);
        List<Test> tests = new ArrayList<>();
        tests.add(new Test("scores", "Kolmogorov-Smirnov distance", drift.distance(), drift.pDistribution()));
        tests.add(new Test("flagged nodes", "share at alpha " + alpha, drift.flaggedShare(), drift.pFlagged()));
        ReferenceNodes usual = detector.reference();
        List<Moved> moved = List.of();
        if (usual != null) {
            ReferenceNodes now = ReferenceNodes.of(detector, raw, batch);
            Seed seed = new Seed(0).split("drift");
            int permutations =
                    (int) Math.max(FEWEST_PERMUTATIONS, Math.min(MOST_PERMUTATIONS, Math.ceil(2 * TESTS / level)));
            double[] units = usual.units();
            SampleTests.Result states =
                    SampleTests.vectors(usual.statesIn(units), now.statesIn(units), permutations, seed.split("states"));
            tests.add(new Test("hidden states", "kernel distance", states.difference(), states.pValue()));
            SampleTests.Result classes = SampleTests.classes(
                    usual.predicted(), now.predicted(), detector.classes().size(), permutations, seed.split("classes"));
            tests.add(new Test(
                    "predicted classes", "largest difference of shares", classes.difference(), classes.pValue()));
            TwoSample.Gap degrees = TwoSample.gap(asDoubles(usual.degrees()), asDoubles(now.degrees()));
            tests.add(new Test("degrees", "Kolmogorov-Smirnov distance", degrees.distance(), degrees.pValue()));
            double[] pValues = features(usual.features(), now.features());
            moved = moved(pValues, usual.features(), now.features(), raw.base());
            tests.add(new Test(
                    "features",
                    "share that has moved",
                    (double) moved.size() / pValues.length,
                    TwoSample.any(pValues)));
        }
        return new DriftReport(
                batch.size(), detector.calibration().nodes(), usual == null ? 0 : usual.size(), drift, tests, moved);
    }

    /** How often one of the tests would be as sure as the surest of them is, without any drift; at most so often. */
    public double pValue() {
        return Math.min(
                1, tests.size() * tests.stream().mapToDouble(Test::pValue).min().orElse(1));
    }

    /** Refuses levels that are no shares, before anything is computed. */
    public static void requireLevels(double alpha, double level) {
        for (double share : new double[] {alpha, level}) {
            if (!(share > 0 && share < 1)) {
                throw new BadConfiguration("a level must lie between 0 and 1, got " + share);
            }
        }
    }

    /** Whether {@link #pValue} is at most {@code level}, the share of ordinary batches that may raise a false alarm. */
    public boolean isDrift(double level) {
        return pValue() <= level;
    }

    /** Whether there are so few nodes that no drift does not mean much. */
    public boolean isTooFew() {
        return nodes < ENOUGH_NODES || ordinary < ENOUGH_ORDINARY;
    }

    /** What has moved. */
    public List<String> causes(double level) {
        return tests.stream()
                .filter(test -> test.pValue * tests.size() <= level)
                .map(Test::what)
                .toList();
    }

    private static double[] asDoubles(int[] values) {
        return Arrays.stream(values).asDoubleStream().toArray();
    }

    private static double[] features(Matrix usual, Matrix now) {
        double[] pValues = new double[usual.columns()];
        double[][] before = columns(usual);
        double[][] after = columns(now);
        Arrays.setAll(pValues, f -> pValue(before[f], after[f]));
        return pValues;
    }

    private static double[][] columns(Matrix matrix) {
        double[][] columns = new double[matrix.columns()][matrix.rows()];
        for (int f = 0; f < columns.length; f++) {
            for (int r = 0; r < matrix.rows(); r++) {
                columns[f][r] = matrix.get(r, f);
            }
        }
        return columns;
    }

    /** Of two values, by their shares, exactly; otherwise by the distribution. */
    private static double pValue(double[] before, double[] after) {
        double low = DoubleStream.concat(Arrays.stream(before), Arrays.stream(after))
                .min()
                .orElse(0);
        double high = DoubleStream.concat(Arrays.stream(before), Arrays.stream(after))
                .max()
                .orElse(0);
        boolean areTwo = DoubleStream.concat(Arrays.stream(before), Arrays.stream(after))
                .allMatch(value -> value == low || value == high);
        return areTwo
                ? TwoSample.shares(count(before, high), before.length, count(after, high), after.length)
                : TwoSample.gap(before, after).pValue();
    }

    private static int count(double[] values, double wanted) {
        return (int) Arrays.stream(values).filter(value -> value == wanted).count();
    }

    private static List<Moved> moved(double[] pValues, Matrix usual, Matrix now, Graph graph) {
        boolean[] have = FalseAlarms.bounded(pValues, FALSE_DISCOVERIES);
        List<String> names = graph.featureNames();
        return IntStream.range(0, pValues.length)
                .filter(f -> have[f])
                .mapToObj(f -> new Moved(names.get(f), mean(usual, f, graph), mean(now, f, graph), pValues[f]))
                .sorted(Comparator.comparingDouble(Moved::pValue))
                .toList();
    }

    private static double mean(Matrix features, int feature, Graph graph) {
        TableSchema.@Nullable Scale scale =
                graph.schema() == null ? null : graph.schema().scale(feature);
        return IntStream.range(0, features.rows())
                .mapToDouble(r -> features.get(r, feature))
                .map(value -> scale == null ? value : scale.undo(value))
                .average()
                .orElse(Double.NaN);
    }
}
