// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark;

import dev.nescio.io.graph.TableLayout;
import dev.nescio.problem.BadConfiguration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Flags that say what the columns of tables mean; they are those of {@code nescio train}. */
final class LayoutFlags {

    static final List<String> WITH_VALUE = List.of(
            "--id",
            "--label",
            "--split-column",
            "--columns",
            "--ignore",
            "--categorical",
            "--missing",
            "--source",
            "--target");
    static final List<String> WITHOUT_VALUE = List.of("--raw", "--directed", "--drop-dangling");

    private LayoutFlags() {}

    static TableLayout of(Arguments arguments) {
        return TableLayout.defaults()
                .with()
                .id(arguments.text("--id"))
                .label(arguments.text("--label"))
                .split(arguments.text("--split-column"))
                .features(names(arguments.text("--columns")))
                .ignored(names(arguments.text("--ignore")))
                .categorical(names(arguments.text("--categorical")))
                .missing(missing(arguments.text("--missing")))
                .standardise(!arguments.has("--raw"))
                .source(arguments.text("--source"))
                .target(arguments.text("--target"))
                .directed(arguments.has("--directed"))
                .dropDangling(arguments.has("--drop-dangling"))
                .build();
    }

    private static List<String> names(@Nullable String text) {
        return text == null ? List.of() : List.of(text.split(","));
    }

    private static TableLayout.Missing missing(@Nullable String text) {
        if (text == null) {
            return TableLayout.Missing.MEAN;
        }
        return Arrays.stream(TableLayout.Missing.values())
                .filter(rule -> rule.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> new BadConfiguration("--missing takes mean, zero or refuse, got '" + text + "'"));
    }
}
