// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.table;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A table that is read once, row by row. */
public interface TableReader extends AutoCloseable {

    /** The name of the file, for messages. */
    String file();

    /** The names of the columns, in the order in which {@link #text} numbers them from 0. */
    List<String> columns();

    /** Moves to the next row; false behind the last one. */
    boolean next();

    /** The field of a column in this row; null where nothing is there. */
    @Nullable
    String text(int column);

    /** The number of this row, as {@link #place} speaks of it. */
    long row();

    /** Where a row is: "line 17". */
    default String place(long row) {
        return "row " + row;
    }

    /** The number in a field; NaN where it is missing. */
    default double number(int column) {
        String text = text(column);
        try {
            return text == null ? Double.NaN : Values.number(text);
        } catch (NumberFormatException e) {
            throw TableProblem.of(this, column, "is not a number");
        }
    }

    @Override
    void close();

    /** The column of this name, or -1. */
    default int find(String name) {
        return columns().indexOf(name);
    }
}
