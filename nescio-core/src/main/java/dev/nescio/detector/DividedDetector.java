// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import dev.nescio.decision.Calibration;
import dev.nescio.matrix.NdArray;
import dev.nescio.progress.Progress;
import dev.nescio.uncertainty.Divisible;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.FittedEstimator;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A detector with more training rows than a machine should hold, cut into parts. Each part is a detector that says what its rows say; the
 * head is one with hardly any rows, which scores by what all parts have said. Scores are those of the whole.
 */
public final class DividedDetector {

    private final Detector whole;
    private final int parts;

    private DividedDetector(Detector whole, int parts) {
        this.whole = whole;
        this.parts = parts;
    }

    /** Cuts a detector into so many parts, or fewer where it has few training rows; one where there is nothing to cut. */
    public static DividedDetector of(Detector detector, int wanted) {
        int most = divisible(detector)
                .mapToInt(fitted -> fitted.trainingRows() / fitted.fewestRows())
                .min()
                .orElse(1);
        return new DividedDetector(detector, Math.max(1, Math.min(wanted, most)));
    }

    /** Bytes of all training rows that can be cut. */
    public static long bytes(Detector detector) {
        return divisible(detector).mapToLong(Divisible::trainingBytes).sum();
    }

    private static Stream<Divisible> divisible(Detector detector) {
        return detector.estimators().byLabel().values().stream()
                .map(FittedEstimators.Entry::fitted)
                .filter(DividedDetector::isDivisible)
                .map(Divisible.class::cast);
    }

    private static boolean isDivisible(FittedEstimator fitted) {
        return fitted instanceof Divisible divisible && divisible.isDivisible();
    }

    /** How many parts there are. */
    public int parts() {
        return parts;
    }

    /** The detector without most of its training rows; scores of its own would be those of the few that it keeps. */
    public Detector head() {
        return with(
                whole,
                byLabel(whole, fitted -> fitted.part(0, fitted.fewestRows()), true),
                whole.calibration(),
                whole.nodes());
    }

    /** A part; it knows no nodes and nothing ordinary. */
    public Detector part(int number) {
        return with(
                whole,
                byLabel(
                        whole,
                        fitted -> fitted.part(begin(number), (int) ((number + 1L) * fitted.trainingRows() / parts)),
                        false),
                Calibration.NONE,
                KnownNodes.NONE);
    }

    /** The first training row of a part. */
    public int begin(int number) {
        return (int) ((long) number
                * divisible(whole).findFirst().map(Divisible::trainingRows).orElse(0)
                / parts);
    }

    /** What the rows of a part say, for every estimator that was cut. */
    public static List<Divisible.Comparison> compare(Detector part, int begin, Evidence evidence) {
        int rows = divisible(part).findFirst().map(Divisible::trainingRows).orElse(0);
        int[] places = IntStream.of(evidence.places())
                .map(place -> place >= begin && place < begin + rows ? place - begin : -1)
                .toArray();
        boolean isNobody = IntStream.of(places).allMatch(place -> place < 0);
        Evidence here = evidence.placed(isNobody ? new int[0] : places);
        List<Divisible.Comparison> said = new ArrayList<>();
        divisible(part).forEach(fitted -> said.add(fitted.compare(here)));
        return said;
    }

    /** The head, where all parts have spoken about some nodes: its scores of just these are those of the whole. */
    public static Detector told(Detector head, List<? extends Divisible.Comparison> said) {
        Iterator<? extends Divisible.Comparison> next = said.iterator();
        return with(
                head,
                byLabel(head, fitted -> new Told(fitted.score(next.next())), true),
                head.calibration(),
                head.nodes());
    }

    private record Told(double[] scores) implements FittedEstimator {

        @Override
        public double[] score(Evidence evidence, Progress progress) {
            return scores;
        }

        @Override
        public Map<String, NdArray> state() {
            throw new IllegalStateException("what was told about some nodes is not to be stored");
        }
    }

    @FunctionalInterface
    private interface Change {
        FittedEstimator apply(Divisible fitted);
    }

    /** @param others whether estimators that cannot be cut stay */
    private static Map<String, FittedEstimators.Entry> byLabel(Detector detector, Change change, boolean others) {
        Map<String, FittedEstimators.Entry> changed = new LinkedHashMap<>();
        detector.estimators().byLabel().forEach((label, entry) -> {
            if (isDivisible(entry.fitted())) {
                FittedEstimator other = change.apply((Divisible) entry.fitted());
                changed.put(label, new FittedEstimators.Entry(entry.spec(), other));
            } else if (others) {
                changed.put(label, entry);
            }
        });
        return changed;
    }

    private static Detector with(
            Detector of, Map<String, FittedEstimators.Entry> byLabel, Calibration calibration, KnownNodes nodes) {
        FittedEstimators estimators =
                new FittedEstimators(of.classes(), of.estimators().temperature(), byLabel, calibration);
        return new Detector(
                of.options().withEstimators(estimators.specs()),
                of.networks(),
                estimators,
                of.schema(),
                nodes,
                null,
                of.provenance());
    }
}
