// SPDX-License-Identifier: Apache-2.0
package dev.nescio.paper;

import dev.nescio.io.file.Utf8;
import dev.nescio.option.Glob;
import dev.nescio.problem.BadInput;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What somebody thinks why cells differ from the paper's. One remark per line, {@code CoraML, FSGNN, *, Far *: the reason},
 * where a star stands for any text; the first that fits a cell counts. Lines that begin with # are comments.
 */
public final class Remarks {

    /** No remarks: no difference has a known reason. */
    public static final Remarks NONE = new Remarks(Map.of());

    private final Map<String, String> reasons;

    private Remarks(Map<String, String> reasons) {
        this.reasons = reasons;
    }

    /**
     * Reads remarks from a text file in UTF-8; refuses a line without a colon and a reason. Of two remarks on the same cells the
     * first counts.
     */
    public static Remarks read(Path file) {
        List<String> lines = Utf8.lines(file);
        Map<String, String> reasons = new LinkedHashMap<>();
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
            reasons.putIfAbsent(parts[0].strip(), parts[1].strip());
        }
        return new Remarks(reasons);
    }

    /** The likely reason of a cell; empty where nobody has said one. */
    String about(String cell) {
        return reasons.entrySet().stream()
                .filter(remark -> Glob.matches(remark.getKey(), cell))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }
}
