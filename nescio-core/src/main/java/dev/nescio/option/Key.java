// SPDX-License-Identifier: Apache-2.0
package dev.nescio.option;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What identifies stored work: the values that differ from defaults, by group and name, in one order.
 * {@code model.hidden=512,training.seed=3}. Two pieces of work with the same key were made in the same way.
 */
public final class Key {

    private static final Key EMPTY = new Key(new TreeMap<>());

    private final SortedMap<String, String> parts;

    private Key(SortedMap<String, String> parts) {
        this.parts = parts;
    }

    /** The key of work that was done with all defaults. */
    public static Key empty() {
        return EMPTY;
    }

    /** The same and the values of a group of options. */
    public Key and(String prefix, Options options) {
        return and(prefix, options.stored());
    }

    /** The same and further values. */
    public Key and(String prefix, Map<String, String> values) {
        TreeMap<String, String> all = new TreeMap<>(parts);
        values.forEach((name, text) -> all.put(prefix + "." + name, text));
        return new Key(all);
    }

    /** The same without one value. */
    public Key without(String prefix, Option<?> option) {
        TreeMap<String, String> rest = new TreeMap<>(parts);
        rest.remove(prefix + "." + option.name());
        return new Key(rest);
    }

    /** The values by group and name, {@code model.hidden}, in their order. */
    public SortedMap<String, String> parts() {
        return Collections.unmodifiableSortedMap(parts);
    }

    /** Reads what {@link #toString} wrote. Throws {@link IllegalArgumentException} where a part has no equals sign. */
    public static Key parse(String text) {
        TreeMap<String, String> parts = new TreeMap<>();
        for (String part : text.isEmpty() ? new String[0] : text.split(",")) {
            int equals = part.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("'" + part + "' has no value");
            }
            parts.put(part.substring(0, equals), part.substring(equals + 1));
        }
        return new Key(parts);
    }

    @Override
    public String toString() {
        return Options.join(parts);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Key key && key.parts.equals(parts);
    }

    @Override
    public int hashCode() {
        return parts.hashCode();
    }
}
