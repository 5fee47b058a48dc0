// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.tensor.Tensor;
import java.io.Serializable;
import java.util.Locale;

/** A matrix on the heap that can travel: [rows, columns], row by row. */
@DefaultSerializer(JavaSerializer.class)
record Rows(int columns, float[] values) implements Serializable {

    /** Some virtual machines allow no larger arrays. */
    private static final int MOST = Integer.MAX_VALUE - 8;

    /** How many numbers there are; refuses more than an array can hold. */
    static int size(long rows, int columns) {
        if (rows * columns > MOST) {
            throw new BadConfiguration(String.format(
                    Locale.ROOT,
                    "a block holds %,d x %,d numbers, more than %,d; more blocks are smaller (--blocks)",
                    rows,
                    columns,
                    MOST));
        }
        return (int) (rows * columns);
    }

    static Rows of(Tensor tensor) {
        size(tensor.rows(), tensor.columns());
        return new Rows(tensor.columns(), tensor.toFloats());
    }

    int count() {
        return columns == 0 ? 0 : values.length / columns;
    }

    DenseMatrix matrix() {
        return DenseMatrix.of(count(), columns, values);
    }

    /** Some of the rows. */
    Rows of(int[] some) {
        float[] chosen = new float[size(some.length, columns)];
        for (int i = 0; i < some.length; i++) {
            System.arraycopy(values, some[i] * columns, chosen, i * columns, columns);
        }
        return new Rows(columns, chosen);
    }

    Tensor tensor() {
        return Tensor.of(values, count(), columns);
    }
}
