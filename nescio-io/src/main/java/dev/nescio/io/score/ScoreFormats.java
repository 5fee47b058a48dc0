// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.score;

import dev.nescio.problem.BadConfiguration;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The registry of formats that scores are written in. */
public final class ScoreFormats {

    private static final List<ScoreFormat> ALL = List.of(
            new CsvScores(),
            new ParquetScores(),
            new JsonScores(),
            new JsonLinesScores(),
            new GraphMlScores(),
            new GexfScores());

    private ScoreFormats() {}

    /** All formats, CSV first. */
    public static List<ScoreFormat> all() {
        return ALL;
    }

    /** The format of a file, by its name; refuses files of unknown kinds. */
    public static ScoreFormat of(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        return ALL.stream()
                .filter(format -> format.endings().stream().anyMatch(name::endsWith))
                .findFirst()
                .orElseThrow(() -> new BadConfiguration(file + ": scores are written to files that end in "
                        + String.join(
                                ", ",
                                ALL.stream()
                                        .flatMap(format -> format.endings().stream())
                                        .toList())));
    }
}
