// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.table;

import dev.nescio.progress.Progress;
import java.nio.file.Path;
import java.util.List;

/** Columns in binary form. */
final class ParquetFormat implements TableFormat {

    @Override
    public String name() {
        return "parquet";
    }

    @Override
    public String summary() {
        return "Apache Parquet";
    }

    @Override
    public List<String> endings() {
        return List.of(".parquet");
    }

    @Override
    public TableReader open(Path file, Progress progress) {
        return ParquetTable.open(file);
    }
}
