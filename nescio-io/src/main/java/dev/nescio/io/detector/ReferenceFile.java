// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.detector;

import static dev.nescio.uncertainty.estimator.StoredState.floats;
import static dev.nescio.uncertainty.estimator.StoredState.ints;
import static dev.nescio.uncertainty.estimator.StoredState.matrix;

import dev.nescio.detector.ReferenceNodes;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.matrix.SparseMatrix;
import dev.nescio.problem.BadModelFile;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** Reference nodes as arrays of a file. */
final class ReferenceFile {

    static final String NAME = "reference.safetensors";

    private static final String FEATURES = "features";

    private ReferenceFile() {}

    static Map<String, NdArray> arrays(ReferenceNodes nodes) {
        Map<String, NdArray> arrays = new TreeMap<>();
        arrays.put("states", NdArray.of(nodes.states()));
        arrays.put(
                "widths",
                NdArray.of(nodes.widths().stream().mapToInt(width -> width).toArray()));
        arrays.put("degrees", NdArray.of(nodes.degrees()));
        arrays.put("predicted", NdArray.of(nodes.predicted()));
        if (nodes.features() instanceof SparseMatrix sparse) {
            arrays.put("columns", NdArray.of(sparse.columns()));
            arrays.put("pointers", NdArray.of(sparse.pointers()));
            arrays.put("indices", NdArray.of(sparse.indices()));
            arrays.put("values", new NdArray.Floats(new int[] {sparse.values().length}, sparse.values()));
        } else if (nodes.features() instanceof DenseMatrix dense) {
            arrays.put(FEATURES, NdArray.of(dense));
        }
        return arrays;
    }

    static ReferenceNodes read(Map<String, NdArray> arrays) {
        return new ReferenceNodes(
                matrix(arrays, "states"),
                Arrays.stream(ints(arrays, "widths")).boxed().toList(),
                arrays.containsKey(FEATURES) ? matrix(arrays, FEATURES) : sparse(arrays),
                ints(arrays, "degrees"),
                ints(arrays, "predicted"));
    }

    private static Matrix sparse(Map<String, NdArray> arrays) {
        int[] columns = ints(arrays, "columns");
        if (columns.length != 1) {
            throw new BadModelFile("'columns' holds " + columns.length + " numbers, expected one");
        }
        return SparseMatrix.of(columns[0], ints(arrays, "pointers"), ints(arrays, "indices"), floats(arrays, "values"));
    }
}
