// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.table;

import dev.nescio.problem.BadInput;
import org.jspecify.annotations.Nullable;

/** A field that is wrong, with the file, the line, the column and the value. */
public final class TableProblem {

    private static final int LONGEST = 60;

    private TableProblem() {}

    /** A field of the current row. */
    public static BadInput of(TableReader table, int column, String problem) {
        return of(table, table.row(), column, table.text(column), problem);
    }

    /** A field of an earlier row. */
    public static BadInput of(TableReader table, long row, int column, @Nullable String value, String problem) {
        return new BadInput(table.file() + ", " + table.place(row) + ", column '"
                + table.columns().get(column) + "': " + shortened(value) + " " + problem);
    }

    private static String shortened(@Nullable String value) {
        if (value == null) {
            return "nothing";
        }
        return "'" + (value.length() <= LONGEST ? value : value.substring(0, LONGEST) + "…") + "'";
    }
}
