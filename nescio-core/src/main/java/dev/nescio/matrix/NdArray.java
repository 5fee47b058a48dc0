// SPDX-License-Identifier: Apache-2.0
package dev.nescio.matrix;

import java.util.Arrays;

/** An array of any shape in row-major order, as it is stored in files: parameters of a model, state of an estimator. */
public sealed interface NdArray {

    int[] shape();

    record Floats(int[] shape, float[] values) implements NdArray {
        public Floats {
            check(shape, values.length);
        }
    }

    record Doubles(int[] shape, double[] values) implements NdArray {
        public Doubles {
            check(shape, values.length);
        }
    }

    record Ints(int[] shape, int[] values) implements NdArray {
        public Ints {
            check(shape, values.length);
        }
    }

    record Booleans(int[] shape, boolean[] values) implements NdArray {
        public Booleans {
            check(shape, values.length);
        }
    }

    static NdArray of(DenseMatrix matrix) {
        return new Floats(new int[] {matrix.rows(), matrix.columns()}, matrix.values());
    }

    static NdArray of(double... values) {
        return new Doubles(new int[] {values.length}, values);
    }

    static NdArray of(int... values) {
        return new Ints(new int[] {values.length}, values);
    }

    private static void check(int[] shape, int length) {
        long product = 1;
        for (int extent : shape) {
            product *= extent;
        }
        if (product != length) {
            throw new IllegalArgumentException(
                    "shape " + Arrays.toString(shape) + " does not hold " + length + " values");
        }
    }
}
