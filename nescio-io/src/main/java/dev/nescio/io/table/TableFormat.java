// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.table;

import dev.nescio.progress.Progress;
import java.nio.file.Path;
import java.util.List;

/** A kind of file that holds a table. */
public interface TableFormat {

    /** What it is called. */
    String name();

    /** What it is, in one line. */
    String summary();

    /** How the names of its files end: {@code .csv}. */
    List<String> endings();

    /** Opens a table whose first line or schema names the columns. */
    TableReader open(Path file, Progress progress);

    /** The same of a table of numbers, where the first line may hold numbers instead of names. */
    default TableReader openNumbers(Path file) {
        return open(file, Progress.NONE);
    }

    /** Whether a file is of this kind, by its name. */
    default boolean holds(Path file) {
        return endings().stream().anyMatch(file.toString()::endsWith);
    }
}
