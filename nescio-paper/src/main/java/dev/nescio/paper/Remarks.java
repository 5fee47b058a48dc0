// SPDX-License-Identifier: Apache-2.0
package dev.nescio.paper;

import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What somebody thinks why cells differ from the paper's. One remark per line, {@code CoraML, FSGNN, *, Far *: the reason},
 * where a star stands for any text; the first that fits a cell counts. Lines that begin with # are comments.
 */
public final class Remarks {

    public static final Remarks NONE = new Remarks(Map.of());

    private final Map<Pattern, String> reasons;

    private Remarks(Map<Pattern, String> reasons) {
        this.reasons = reasons;
    }

    public static Remarks read(Path file) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new BadInput(file + " cannot be read as text: " + e.getMessage(), e);
        }
        Map<Pattern, String> reasons = new LinkedHashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String[] parts = line.split(":", 2);
            if (parts.length < 2 || parts[1].isBlank()) {
                throw new BadInput(file + ", line " + (i + 1)
                        + ": expected DATA, MODEL, ESTIMATOR, COLUMN: REASON, got '" + line + "'");
            }
            reasons.put(pattern(parts[0].strip()), parts[1].strip());
        }
        return new Remarks(reasons);
    }

    private static Pattern pattern(String cells) {
        return Pattern.compile(
                Arrays.stream(cells.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
    }

    /** The likely reason of a cell; empty where nobody has said one. */
    String about(String cell) {
        return reasons.entrySet().stream()
                .filter(remark -> remark.getKey().matcher(cell).matches())
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }
}
