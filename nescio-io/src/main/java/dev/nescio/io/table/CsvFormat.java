// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.table;

import dev.nescio.progress.Progress;
import java.nio.file.Path;
import java.util.List;

/** Text with separated fields, packed or not. */
final class CsvFormat implements TableFormat {

    @Override
    public String name() {
        return "csv";
    }

    @Override
    public String summary() {
        return "fields separated by commas, semicolons or tabs, as the first line says; may be packed by gzip";
    }

    @Override
    public List<String> endings() {
        return List.of(".csv", ".csv.gz", ".tsv", ".tsv.gz");
    }

    @Override
    public TableReader open(Path file, Progress progress) {
        return CsvTable.open(file, progress);
    }

    /** A first line of numbers is data, not names. */
    @Override
    public TableReader openNumbers(Path file) {
        CsvTable named = CsvTable.open(file, Progress.NONE);
        if (named.columns().stream().noneMatch(Values::isNumber)) {
            return named;
        }
        named.close();
        return CsvTable.withoutHeader(file, Progress.NONE);
    }
}
