// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.table;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadInput;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A table of nothing but numbers, as a matrix. */
public final class NumberTable {

    private NumberTable() {}

    /**
     * Reads a file in any of the {@link TableFormats}, one row of the matrix per row. Refuses a table without rows, and fields
     * that are missing or not finite.
     */
    public static DenseMatrix read(Path file) {
        try (TableReader table = TableFormats.of(file).openNumbers(file)) {
            float[][] rows = rows(table);
            if (rows.length == 0) {
                throw new BadInput(file + " has no rows");
            }
            return DenseMatrix.of(rows);
        }
    }

    /**
     * All rows that are left in a table, as wide as it has columns; none gives an empty array. Refuses fields that are missing or
     * not finite; does not close the table.
     */
    public static float[][] rows(TableReader table) {
        int width = table.columns().size();
        List<float[]> rows = new ArrayList<>();
        while (table.next()) {
            float[] row = new float[width];
            for (int i = 0; i < width; i++) {
                row[i] = (float) table.number(i);
                if (!Float.isFinite(row[i])) {
                    throw TableProblem.of(table, i, "is not a finite number");
                }
            }
            rows.add(row);
        }
        return rows.toArray(float[][]::new);
    }
}
