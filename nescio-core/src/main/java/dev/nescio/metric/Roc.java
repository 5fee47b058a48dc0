// SPDX-License-Identifier: Apache-2.0
package dev.nescio.metric;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How well a score ranks positives above negatives. Ties count one half.
 *
 * @param points of the ROC curve from (0, 0) to (1, 1), one per distinct score
 * @param auc area under the ROC curve: the chance that a positive scores higher than a negative
 * @param aucPr area under the precision–recall curve by the trapezoid rule, from (recall 0, precision 1)
 * @param averagePrecision the same area by steps: the mean precision at the positives
 * @param falseAlarms the share of negatives above the highest threshold that finds 95 % of the positives
 */
public record Roc(List<Point> points, double auc, double aucPr, double averagePrecision, double falseAlarms) {

    private static final double FOUND = 0.95;

    /** One threshold: everything that scores at least as high is called positive. */
    public record Point(double falsePositiveRate, double truePositiveRate) {}

    /** Scores and targets of the nodes to judge. NaN where either side is empty. */
    public static Roc of(double[] scores, boolean[] positive) {
        for (int i = 0; i < scores.length; i++) {
            if (Double.isNaN(scores[i])) {
                throw new IllegalArgumentException("score " + i + " is not a number");
            }
        }
        Integer[] order = IntStream.range(0, scores.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer i) -> scores[i]).reversed())
                .toArray(Integer[]::new);
        long positives =
                IntStream.range(0, scores.length).filter(i -> positive[i]).count();
        long negatives = scores.length - positives;
        List<Point> points = new ArrayList<>(List.of(new Point(0, 0)));
        double auc = 0;
        double aucPr = 0;
        double averagePrecision = 0;
        double falseAlarms = Double.NaN;
        double precision = 1;
        long hits = 0;
        for (int i = 0; i < order.length; ) {
            double score = scores[order[i]];
            for (; i < order.length && scores[order[i]] == score; i++) {
                hits += positive[order[i]] ? 1 : 0;
            }
            Point before = points.get(points.size() - 1);
            Point now = new Point((double) (i - hits) / negatives, (double) hits / positives);
            double newPrecision = (double) hits / i;
            auc += (now.falsePositiveRate - before.falsePositiveRate)
                    * (now.truePositiveRate + before.truePositiveRate)
                    / 2;
            aucPr += (now.truePositiveRate - before.truePositiveRate) * (newPrecision + precision) / 2;
            averagePrecision += (now.truePositiveRate - before.truePositiveRate) * newPrecision;
            if (before.truePositiveRate < FOUND && now.truePositiveRate >= FOUND) {
                falseAlarms = now.falsePositiveRate;
            }
            precision = newPrecision;
            points.add(now);
        }
        boolean judged = positives > 0 && negatives > 0;
        return new Roc(
                List.copyOf(points),
                judged ? auc : Double.NaN,
                judged ? aucPr : Double.NaN,
                judged ? averagePrecision : Double.NaN,
                judged ? falseAlarms : Double.NaN);
    }
}
