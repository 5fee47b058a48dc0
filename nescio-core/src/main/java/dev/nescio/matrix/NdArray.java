// SPDX-License-Identifier: Apache-2.0
package dev.nescio.matrix;

import java.util.Arrays;

/** An array of any shape in row-major order, as it is stored in files: parameters of a model, state of an estimator. */
public sealed interface NdArray {

    /** The extent of each dimension, the slowest first; empty for a single value. The array itself, not a copy. */
    int[] shape();

    /**
     * Numbers of 32 bits with a fractional part.
     *
     * @param values in row-major order, not copied
     */
    record Floats(int[] shape, float[] values) implements NdArray {
        /** Refuses a shape that does not hold as many values as there are. */
        public Floats {
            check(shape, values.length);
        }
    }

    /**
     * Numbers of 64 bits with a fractional part.
     *
     * @param values in row-major order, not copied
     */
    record Doubles(int[] shape, double[] values) implements NdArray {
        /** Refuses a shape that does not hold as many values as there are. */
        public Doubles {
            check(shape, values.length);
        }
    }

    /**
     * Whole numbers of 32 bits.
     *
     * @param values in row-major order, not copied
     */
    record Ints(int[] shape, int[] values) implements NdArray {
        /** Refuses a shape that does not hold as many values as there are. */
        public Ints {
            check(shape, values.length);
        }
    }

    /**
     * Truth values.
     *
     * @param values in row-major order, not copied
     */
    record Booleans(int[] shape, boolean[] values) implements NdArray {
        /** Refuses a shape that does not hold as many values as there are. */
        public Booleans {
            check(shape, values.length);
        }
    }

    /** A matrix as an array of shape [rows, columns]; it shares the values. */
    static NdArray of(DenseMatrix matrix) {
        return new Floats(new int[] {matrix.rows(), matrix.columns()}, matrix.values());
    }

    /** A vector of these numbers; the array is not copied. */
    static NdArray of(double... values) {
        return new Doubles(new int[] {values.length}, values);
    }

    /** A vector of these whole numbers; the array is not copied. */
    static NdArray of(int... values) {
        return new Ints(new int[] {values.length}, values);
    }

    private static void check(int[] shape, int length) {
        long product = 1;
        boolean isShape = true;
        for (int extent : shape) {
            product *= extent;
            isShape &= extent >= 0;
        }
        if (!isShape || product != length) {
            throw new IllegalArgumentException(
                    "shape " + Arrays.toString(shape) + " does not hold " + length + " values");
        }
    }
}
