// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.table;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows that are already in memory. */
public final class RowsTable implements TableReader {

    private final String file;
    private final List<String> columns;
    private final List<Map<String, String>> rows;
    private int at = -1;

    /**
     * A table of rows by column name; a field that a row does not have is missing. Nothing is copied.
     *
     * @param file where the rows come from, for messages
     */
    public RowsTable(String file, List<String> columns, List<Map<String, String>> rows) {
        this.file = file;
        this.columns = columns;
        this.rows = rows;
    }

    @Override
    public String file() {
        return file;
    }

    @Override
    public List<String> columns() {
        return columns;
    }

    @Override
    public boolean next() {
        return ++at < rows.size();
    }

    @Override
    public @Nullable String text(int column) {
        return rows.get(at).get(columns.get(column));
    }

    @Override
    public long row() {
        return at + 1L;
    }

    @Override
    public String place(long row) {
        return "entry " + row;
    }

    @Override
    public void close() {}
}
