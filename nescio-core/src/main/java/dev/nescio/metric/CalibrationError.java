// SPDX-License-Identifier: Apache-2.0
package dev.nescio.metric;

/** Whether probabilities mean what they say. */
public final class CalibrationError {

    private CalibrationError() {}

    /**
     * Expected calibration error: nodes are put into bins of equal width by the probability of their predicted class, each
     * bin without its left and with its right end; the mean over the nodes of the difference between the share of right
     * answers and the mean probability of their bin. NaN for no nodes.
     */
    public static double error(double[] confidence, boolean[] right, int bins) {
        double[] sums = new double[bins];
        for (int i = 0; i < confidence.length; i++) {
            int bin = Math.max(0, Math.min(bins - 1, (int) Math.ceil(confidence[i] * bins) - 1));
            sums[bin] += (right[i] ? 1 : 0) - confidence[i];
        }
        double error = 0;
        for (double sum : sums) {
            error += Math.abs(sum);
        }
        return error / confidence.length;
    }

    /**
     * Brier scores of nodes whose distributions stand one after the other.
     *
     * @param distance mean distance between the distribution and the truth, as the paper has it
     * @param squared mean of the squared distance, the usual one
     */
    public record Brier(double distance, double squared) {

        /** NaN for no nodes. */
        public static Brier of(double[] distributions, int[] labels) {
            int classes = labels.length == 0 ? 0 : distributions.length / labels.length;
            double distance = 0;
            double squared = 0;
            for (int i = 0; i < labels.length; i++) {
                double sum = 0;
                for (int c = 0; c < classes; c++) {
                    double off = distributions[i * classes + c] - (labels[i] == c ? 1 : 0);
                    sum += off * off;
                }
                distance += Math.sqrt(sum);
                squared += sum;
            }
            return new Brier(distance / labels.length, squared / labels.length);
        }
    }
}
