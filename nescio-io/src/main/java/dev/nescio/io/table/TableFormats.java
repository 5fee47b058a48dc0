// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.table;

import dev.nescio.problem.BadConfiguration;
import dev.nescio.progress.Progress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The registry of table formats. */
public final class TableFormats {

    private static final List<TableFormat> ALL = List.of(new CsvFormat(), new ParquetFormat(), new JsonLinesFormat());

    private TableFormats() {}

    /** All formats, CSV first. */
    public static List<TableFormat> all() {
        return ALL;
    }

    /** Every ending of a table's file name. */
    public static List<String> endings() {
        return ALL.stream().flatMap(format -> format.endings().stream()).toList();
    }

    /** The format of a file, by its name. */
    public static Optional<TableFormat> find(Path file) {
        return ALL.stream().filter(format -> format.holds(file)).findFirst();
    }

    /** The format of a file, by its name; refuses files of unknown kinds. */
    public static TableFormat of(Path file) {
        return find(file)
                .orElseThrow(() -> new BadConfiguration(
                        file + " is not a table: its name should end in " + String.join(", ", endings())));
    }

    /** Opens a table in the format that its name says; refuses files of unknown kinds. The caller closes it. */
    public static TableReader open(Path file, Progress progress) {
        return of(file).open(file, progress);
    }

    /** The table of some name in a folder, in whatever format. */
    public static Optional<Path> within(Path folder, String name) {
        return endings().stream()
                .map(ending -> folder.resolve(name + ending))
                .filter(Files::isRegularFile)
                .findFirst();
    }

    /** The name of a file without its ending. */
    public static String nameWithoutEnding(String name) {
        return endings().stream()
                .filter(name::endsWith)
                .findFirst()
                .map(ending -> name.substring(0, name.length() - ending.length()))
                .orElse(name);
    }
}
