// SPDX-License-Identifier: Apache-2.0
package dev.nescio.decision;

import dev.nescio.metric.Interval;
import dev.nescio.problem.BadConfiguration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What abstaining buys: predict only for the least uncertain nodes, and see how accurate that is.
 *
 * @param points from few nodes to all, one per distinct uncertainty
 */
public record RiskCoverage(List<Point> points) {

    /**
     * Predicting for nodes that are at most so uncertain.
     *
     * @param threshold the uncertainty
     * @param coverage share of nodes that get a prediction
     * @param accuracy of these predictions
     * @param lowest the accuracy that may still be true (95 %, Wilson)
     */
    public record Point(double threshold, double coverage, double accuracy, double lowest) {}

    /** Keeps an unmodifiable copy of the points. */
    public RiskCoverage {
        points = List.copyOf(points);
    }

    /**
     * The curve of some predictions, by how uncertain each one is and whether it was right. Both arrays belong to the same nodes,
     * in the same order; no nodes give no points.
     */
    public static RiskCoverage of(double[] uncertainty, boolean[] right) {
        int[] order = IntStream.range(0, uncertainty.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> uncertainty[i]))
                .mapToInt(i -> i)
                .toArray();
        List<Point> points = new ArrayList<>();
        int hits = 0;
        for (int i = 0; i < order.length; i++) {
            hits += right[order[i]] ? 1 : 0;
            boolean isLastOfItsKind = i + 1 == order.length || uncertainty[order[i + 1]] > uncertainty[order[i]];
            if (isLastOfItsKind) {
                int count = i + 1;
                points.add(new Point(
                        uncertainty[order[i]],
                        (double) count / order.length,
                        (double) hits / count,
                        Interval.of(hits, count).low()));
            }
        }
        return new RiskCoverage(points);
    }

    /** The point that covers most nodes at a wished accuracy, which may be missing. */
    public Optional<Point> forAccuracy(double wished) {
        if (!(wished > 0 && wished <= 1)) {
            throw new BadConfiguration("the requested accuracy must be above 0 and at most 1, got " + wished);
        }
        return points.stream().filter(p -> p.accuracy >= wished).max(Comparator.comparingDouble(Point::coverage));
    }

    /** The mean risk over all coverages; smaller is better. */
    public double area() {
        double area = 0;
        double before = 0;
        for (Point point : points) {
            area += (point.coverage - before) * (1 - point.accuracy);
            before = point.coverage;
        }
        return area;
    }
}
