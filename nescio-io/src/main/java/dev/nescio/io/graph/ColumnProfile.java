// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What a column of a table of nodes holds, and what becomes of it.
 *
 * @param role id, label, split, feature or ignored
 * @param kind number, several numbers or category; empty where nobody has looked
 * @param missing fields without a value
 * @param values its range, or some of its categories; empty where nobody has looked
 * @param treatment what is done with it
 * @param warning what looks wrong about it; empty for nothing
 */
public record ColumnProfile(
        String name, String role, String kind, long missing, String values, String treatment, String warning) {

    private static final Pattern LABEL_WORD = Pattern.compile(
            "(?i)(^|[_\\W])(labels?|class|target|outcome|(is_?)?fraud|churn(ed)?|spam|ground_?truth|truth|y)($|[_\\W])");
    private static final Pattern ID_WORD =
            Pattern.compile("(?i)(^|[_\\W])(id|uuid|guid|key|index)($|[_\\W])|[a-z](Id|ID)$");

    /** Whether people often call labels so. */
    public static boolean soundsLikeLabel(String column) {
        return LABEL_WORD.matcher(column).find();
    }

    /** Whether people often call ids so. */
    static boolean soundsLikeId(String column) {
        return ID_WORD.matcher(column).find();
    }

    /** Those of some columns that sound like a label. */
    public static List<String> labelsAmong(List<String> columns) {
        return columns.stream().filter(ColumnProfile::soundsLikeLabel).toList();
    }
}
