// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.ml;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadInput;
import java.util.List;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/** Vectors of Spark as matrices. */
final class Vectors {

    private Vectors() {}

    /** The vectors of one column, row by row; refuses rows of different widths. */
    static DenseMatrix matrix(List<Row> rows, int column, String name) {
        float[][] values = new float[rows.size()][];
        for (int i = 0; i < values.length; i++) {
            values[i] = floats(rows.get(i).get(column), name);
            if (values[i].length != values[0].length) {
                throw new BadInput("column '" + name + "' holds vectors of " + values[0].length + " and of "
                        + values[i].length + " numbers");
            }
        }
        return DenseMatrix.of(values);
    }

    private static float[] floats(@Nullable Object value, String name) {
        if (value instanceof Vector vector) {
            float[] floats = new float[vector.size()];
            for (int i = 0; i < floats.length; i++) {
                floats[i] = (float) vector.apply(i);
            }
            return floats;
        }
        if (value instanceof scala.collection.Seq<?> parts) {
            float[] floats = new float[parts.length()];
            for (int i = 0; i < floats.length; i++) {
                floats[i] = parts.apply(i) instanceof Number number ? number.floatValue() : Float.NaN;
            }
            return floats;
        }
        throw new BadInput("column '" + name + "' holds " + (value == null ? "nothing" : "'" + value + "'")
                + " in a row, not a vector");
    }
}
