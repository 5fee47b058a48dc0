// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.problem.BadModelFile;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

/** Reads the state of an estimator by name and kind. */
public final class StoredState {

    private static final int LARGEST_CLASS = 1 << 20;

    private StoredState() {}

    /** The whole numbers of this name, whatever their shape; refuses a state that does not have them. Not copied. */
    public static int[] ints(Map<String, NdArray> state, String name) {
        return get(state, name, NdArray.Ints.class).values();
    }

    static int single(Map<String, NdArray> state, String name) {
        int[] values = ints(state, name);
        if (values.length != 1) {
            throw new BadModelFile("'" + name + "' holds " + values.length + " numbers, expected one");
        }
        return values[0];
    }

    /** One class number per training node. */
    static int[] labels(Map<String, NdArray> state, String name, int count) {
        int[] labels = ints(state, name);
        require(
                labels.length == count && Arrays.stream(labels).allMatch(label -> label >= 0 && label < LARGEST_CLASS),
                "'" + name + "' does not hold one class number per training node");
        return labels;
    }

    /** The 32-bit numbers of this name, whatever their shape; refuses a state that does not have them. Not copied. */
    public static float[] floats(Map<String, NdArray> state, String name) {
        return get(state, name, NdArray.Floats.class).values();
    }

    /** The numbers stored under a name, as doubles; refuses others. */
    public static double[] doubles(Map<String, NdArray> state, String name) {
        return get(state, name, NdArray.Doubles.class).values();
    }

    /** The matrix of this name; refuses a state without it, and an array that does not have two dimensions. */
    public static DenseMatrix matrix(Map<String, NdArray> state, String name) {
        NdArray.Floats array = get(state, name, NdArray.Floats.class);
        if (array.shape().length != 2) {
            throw new BadModelFile("'" + name + "' has " + array.shape().length + " dimensions, but a matrix has 2");
        }
        return DenseMatrix.of(array.shape()[0], array.shape()[1], array.values());
    }

    /** Refuses a state that is not what it should be. */
    public static void require(boolean isRight, String message) {
        if (!isRight) {
            throw new BadModelFile(message);
        }
    }

    /** Rows of equal length. */
    static double[][] table(Map<String, NdArray> state, String name) {
        NdArray.Doubles array = get(state, name, NdArray.Doubles.class);
        if (array.shape().length != 2) {
            throw new BadModelFile("'" + name + "' has " + array.shape().length + " dimensions, but a table has 2");
        }
        int columns = array.shape()[1];
        double[][] rows = new double[array.shape()[0]][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = Arrays.copyOfRange(array.values(), i * columns, (i + 1) * columns);
        }
        return rows;
    }

    /** The inverse. */
    static NdArray table(double[][] rows) {
        int columns = rows.length == 0 ? 0 : rows[0].length;
        double[] values = new double[rows.length * columns];
        for (int i = 0; i < rows.length; i++) {
            System.arraycopy(rows[i], 0, values, i * columns, columns);
        }
        return new NdArray.Doubles(new int[] {rows.length, columns}, values);
    }

    private static <T extends NdArray> T get(Map<String, NdArray> state, String name, Class<T> kind) {
        NdArray array = state.get(name);
        if (!kind.isInstance(array)) {
            throw new BadModelFile("the estimator's state has no "
                    + kind.getSimpleName().toLowerCase(Locale.ROOT) + " '" + name + "'");
        }
        return kind.cast(array);
    }
}
