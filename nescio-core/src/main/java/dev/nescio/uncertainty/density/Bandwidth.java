// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.density;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadConfiguration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;

/** How wide the kernels of a {@link KernelDensity} are. The paper does not say; a small width ranks like nearest neighbours. */
public sealed interface Bandwidth {

    /** The width for these training rows. */
    double of(DenseMatrix training);

    /** This width. */
    record Fixed(double width) implements Bandwidth {
        public Fixed {
            if (!(width > 0) || !Double.isFinite(width)) {
                throw new BadConfiguration("the bandwidth must be positive, got " + width);
            }
        }

        @Override
        public double of(DenseMatrix training) {
            return width;
        }
    }

    /** {@code 2 b^2 = dimensions * mean variance of a dimension}: so wide that it measures the distance from the middle. */
    record Scale() implements Bandwidth {
        @Override
        public double of(DenseMatrix training) {
            return positive(Math.sqrt(training.columns() * meanVariance(training) / 2));
        }
    }

    /** Scott's rule: {@code b = n^(-1 / (dimensions + 4)) * root of the mean variance}. */
    record Scott() implements Bandwidth {
        @Override
        public double of(DenseMatrix training) {
            double shrink = Math.pow(training.rows(), -1.0 / (training.columns() + 4));
            return positive(shrink * Math.sqrt(meanVariance(training)));
        }
    }

    /** The median distance of a training row from the nearest other one. */
    record Median() implements Bandwidth {
        @Override
        public double of(DenseMatrix training) {
            if (training.rows() < 2) {
                return 1;
            }
            double[] nearest = new double[training.rows()];
            try (NearestNeighbours neighbours = new NearestNeighbours(training, 2)) {
                Blocks.forEach(nearest.length, Blocks.ROWS, (from, count) -> {
                    int[] rows = IntStream.range(from, from + count).toArray();
                    double[] distances =
                            neighbours.search(training.select(rows)).distances();
                    for (int i = 0; i < count; i++) {
                        nearest[from + i] = distances[2 * i + 1];
                    }
                });
            }
            Arrays.sort(nearest);
            return positive(nearest[nearest.length / 2]);
        }
    }

    /** A number, {@code scale}, {@code scott} or {@code median}. */
    static Bandwidth parse(String text) {
        return switch (text) {
            case "scale" -> new Scale();
            case "scott" -> new Scott();
            case "median" -> new Median();
            default -> {
                try {
                    yield new Fixed(Double.parseDouble(text));
                } catch (NumberFormatException e) {
                    throw new BadConfiguration(
                            "expected a bandwidth (0.5), scale, scott or median, got '" + text + "'", e);
                }
            }
        };
    }

    /** The inverse of {@link #parse}. */
    default String text() {
        return this instanceof Fixed fixed
                ? Double.toString(fixed.width)
                : getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    /** Rows that are all the same have no width of their own: 1 serves. */
    private static double positive(double width) {
        return width > 0 ? width : 1;
    }

    private static double meanVariance(DenseMatrix rows) {
        double total = 0;
        for (int j = 0; j < rows.columns(); j++) {
            double mean = 0;
            for (int i = 0; i < rows.rows(); i++) {
                mean += rows.get(i, j) / (double) rows.rows();
            }
            for (int i = 0; i < rows.rows(); i++) {
                total += (rows.get(i, j) - mean) * (rows.get(i, j) - mean) / rows.rows();
            }
        }
        return total / rows.columns();
    }
}
