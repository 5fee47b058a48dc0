// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Names of classes and categories. */
public final class Names {

    private Names() {}

    /** Whole numbers by size, everything else by letters. */
    static List<String> sorted(Collection<String> names) {
        boolean areNumbers = names.stream().allMatch(name -> name.matches("-?\\d{1,15}"));
        return names.stream()
                .sorted(areNumbers ? Comparator.comparingLong(Long::parseLong) : Comparator.naturalOrder())
                .toList();
    }
}
