// SPDX-License-Identifier: Apache-2.0
package dev.nescio.decision;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.random.Seed;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Whether two samples of vectors, or of classes, may come from the same source, by permutations. */
public final class SampleTests {

    private SampleTests() {}

    /**
     * A difference and how often it is at least so large.
     *
     * @param difference 0 where both samples are the same
     */
    public record Result(double difference, double pValue) {}

    /**
     * Maximum mean discrepancy with a Gaussian kernel as wide as the median distance (Gretton et al. 2012): whether two samples of
     * vectors differ in any way, not only in their means. Costs the square of the samples: give it a few hundred rows of each.
     */
    public static Result vectors(DenseMatrix first, DenseMatrix second, int permutations, Seed seed) {
        DenseMatrix all = first.above(second);
        float[][] kernel = kernel(all);
        int split = first.rows();
        return new Result(
                discrepancy(kernel, IntStream.range(0, all.rows()).toArray(), split),
                Permutations.pValue(all.rows(), order -> discrepancy(kernel, order, split), permutations, seed));
    }

    private static float[][] kernel(DenseMatrix rows) {
        int count = rows.rows();
        float[][] squares = new float[count][count];
        IntStream.range(0, count).parallel().forEach(i -> {
            for (int j = 0; j < count; j++) {
                squares[i][j] = (float) squaredDistance(rows, i, j);
            }
        });
        double width = median(squares);
        IntStream.range(0, count).parallel().forEach(i -> {
            for (int j = 0; j < count; j++) {
                squares[i][j] = (float) Math.exp(-squares[i][j] / (2 * width));
            }
        });
        return squares;
    }

    private static double squaredDistance(DenseMatrix rows, int first, int second) {
        int columns = rows.columns();
        double sum = 0;
        for (int c = 0; c < columns; c++) {
            double difference = rows.values()[first * columns + c] - rows.values()[second * columns + c];
            sum += difference * difference;
        }
        return sum;
    }

    /** Of the squared distances of different rows; 1 where they are all the same. */
    private static double median(float[][] squares) {
        int count = squares.length;
        float[] some = new float[count * (count - 1) / 2];
        int next = 0;
        for (int i = 0; i < count; i++) {
            System.arraycopy(squares[i], 0, some, next, i);
            next += i;
        }
        Arrays.sort(some);
        double middle = some.length == 0 ? 0 : some[some.length / 2];
        return middle > 0 ? middle : 1;
    }

    /** The mean within both samples less that between them, without pairs of a row with itself. */
    private static double discrepancy(float[][] kernel, int[] order, int split) {
        int rest = order.length - split;
        double[] weight = new double[order.length];
        double toFirst = 1.0 / split;
        double toSecond = -1.0 / rest;
        for (int i = 0; i < order.length; i++) {
            weight[order[i]] = i < split ? toFirst : toSecond;
        }
        double sum = 0;
        for (int i = 0; i < weight.length; i++) {
            float[] row = kernel[i];
            double part = 0;
            for (int j = 0; j < i; j++) {
                part += row[j] * weight[j];
            }
            sum += 2 * part * weight[i];
        }
        return sum;
    }

    /** Whether two samples have the same shares of classes: the chi-squared statistic. */
    public static Result classes(int[] first, int[] second, int classes, int permutations, Seed seed) {
        int[] all =
                IntStream.concat(Arrays.stream(first), Arrays.stream(second)).toArray();
        double[] sizes = new double[classes];
        Arrays.stream(all).forEach(label -> sizes[label]++);
        return new Result(
                largestGap(first, second, classes),
                Permutations.pValue(
                        all.length, order -> chiSquared(all, order, first.length, sizes), permutations, seed));
    }

    private static double largestGap(int[] first, int[] second, int classes) {
        double[] gap = new double[classes];
        Arrays.stream(first).forEach(label -> gap[label] += 1.0 / first.length);
        Arrays.stream(second).forEach(label -> gap[label] -= 1.0 / second.length);
        return Arrays.stream(gap).map(Math::abs).max().orElse(0);
    }

    private static double chiSquared(int[] labels, int[] order, int split, double[] sizes) {
        double[] hits = new double[sizes.length];
        for (int i = 0; i < split; i++) {
            hits[labels[order[i]]]++;
        }
        double share = (double) split / order.length;
        double sum = 0;
        for (int c = 0; c < sizes.length; c++) {
            double expected = sizes[c] * share;
            sum += expected > 0 ? (hits[c] - expected) * (hits[c] - expected) / (expected * (1 - share)) : 0;
        }
        return sum;
    }
}
