// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import dev.nescio.io.table.TableProblem;
import dev.nescio.io.table.TableReader;
import dev.nescio.io.table.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The first rows of a table, kept while it is decided what its columns hold. */
final class FirstRows {

    private static final int MOST = 1000;

    private final TableReader table;
    private final List<Row> rows = new ArrayList<>();

    FirstRows(TableReader table) {
        this.table = table;
        while (rows.size() < MOST && table.next()) {
            String[] fields = IntStream.range(0, table.columns().size())
                    .mapToObj(table::text)
                    .toArray(String[]::new);
            rows.add(new Row(table, fields, table.row()));
        }
    }

    List<? extends TableReader> rows() {
        return rows;
    }

    /**
     * How many numbers each field of a column holds; 0 where they are no numbers. A text where at least half are numbers is a
     * mistake, not a category.
     */
    int numbersPerField(int column, Consumer<String> note) {
        String name = table.columns().get(column);
        int most = 1;
        int counted = 0;
        Row text = null;
        int texts = 0;
        for (Row row : rows) {
            String field = row.text(column);
            if (field == null || Values.isMissing(field)) {
                continue;
            }
            int numbers = ColumnValues.numbersIn(field);
            if (numbers == 2 && ColumnValues.isAmbiguous(field)) {
                throw TableProblem.of(
                        row,
                        column,
                        "is two numbers, or one with a decimal comma: write a point, or a space after the comma");
            }
            counted++;
            texts += numbers == 0 ? 1 : 0;
            text = numbers == 0 && text == null ? row : text;
            most = Math.max(most, numbers);
        }
        if (text == null) {
            return most;
        }
        if (texts * 2 <= counted) {
            throw TableProblem.of(
                    text,
                    column,
                    String.format(
                            Locale.ROOT,
                            "is not a number, though %.0f %% of the column are; --categorical %s treats the column as categories, an"
                                    + " empty field means missing",
                            Math.floor(100.0 * (counted - texts) / counted),
                            name));
        }
        if (texts < counted) {
            note.accept(String.format(
                    Locale.ROOT,
                    "column '%s' holds numbers in %.0f %% of its fields and texts in the others, such as '%s' in %s: it is"
                            + " treated as categories",
                    name,
                    Math.ceil(100.0 * (counted - texts) / counted),
                    text.text(column),
                    text.place(text.row())));
        }
        return 0;
    }

    /** A row that was kept while looking at the first ones. */
    private record Row(TableReader table, String[] fields, long row) implements TableReader {
        @Override
        public String file() {
            return table.file();
        }

        @Override
        public List<String> columns() {
            return table.columns();
        }

        @Override
        public String place(long at) {
            return table.place(at);
        }

        @Override
        public boolean next() {
            return false;
        }

        @Override
        public @Nullable String text(int column) {
            return fields[column];
        }

        @Override
        public void close() {}
    }
}
