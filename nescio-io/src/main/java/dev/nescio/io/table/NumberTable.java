package dev.nescio.io.table;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadInput;
import dev.nescio.uncertainty.Progress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A table of nothing but numbers, as a matrix. */
public final class NumberTable {

    private NumberTable() {}

    public static DenseMatrix read(Path file) {
        try (TableReader table =
                file.toString().endsWith(".parquet") ? ParquetTable.open(file) : CsvTable.open(file, Progress.NONE)) {
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
            if (rows.isEmpty()) {
                throw new BadInput(file + " has no rows");
            }
            return DenseMatrix.of(rows.toArray(float[][]::new));
        }
    }
}
