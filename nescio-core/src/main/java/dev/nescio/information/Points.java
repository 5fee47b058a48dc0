// SPDX-License-Identifier: Apache-2.0
package dev.nescio.information;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.random.Rng;

/** Rows of a matrix as doubles, moved a little so that no two distances are equal by chance. */
final class Points {

    private static final double NOISE = 1e-10;

    private final double[] values;
    private final int rows;
    private final int columns;

    Points(DenseMatrix matrix, long seed) {
        this.rows = matrix.rows();
        this.columns = matrix.columns();
        this.values = new double[rows * columns];
        Rng rng = new Rng(seed);
        for (int j = 0; j < columns; j++) {
            double size = 0;
            for (int i = 0; i < rows; i++) {
                size += Math.abs(matrix.get(i, j)) / rows;
            }
            for (int i = 0; i < rows; i++) {
                values[i * columns + j] = matrix.get(i, j) + NOISE * Math.max(1, size) * rng.nextGaussian();
            }
        }
    }

    int rows() {
        return rows;
    }

    /** Squared Euclidean distances from one row to all. */
    void squaredDistances(int from, double[] distances) {
        int a = from * columns;
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            for (int j = 0, b = i * columns; j < columns; j++) {
                double difference = values[a + j] - values[b + j];
                sum += difference * difference;
            }
            distances[i] = sum;
        }
    }

    /** Largest differences in any column from one row to all. */
    void maximumDistances(int from, double[] distances) {
        int a = from * columns;
        for (int i = 0; i < rows; i++) {
            double largest = 0;
            for (int j = 0, b = i * columns; j < columns; j++) {
                largest = Math.max(largest, Math.abs(values[a + j] - values[b + j]));
            }
            distances[i] = largest;
        }
    }

    /** The k-th smallest of some distances that are offered one by one. */
    static final class Smallest {

        private final double[] kept;
        private int size;

        Smallest(int k) {
            this.kept = new double[k];
        }

        void clear() {
            size = 0;
        }

        void offer(double distance) {
            if (size == kept.length && distance >= kept[size - 1]) {
                return;
            }
            int at = size == kept.length ? size - 1 : size++;
            while (at > 0 && kept[at - 1] > distance) {
                kept[at] = kept[at - 1];
                at--;
            }
            kept[at] = distance;
        }

        int size() {
            return size;
        }

        /** Of those that were offered; all of them where there were fewer than k. */
        double largest() {
            return kept[size - 1];
        }
    }
}
