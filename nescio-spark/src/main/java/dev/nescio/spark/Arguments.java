// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark;

import dev.nescio.option.Nearest;
import dev.nescio.option.OptionGroup;
import dev.nescio.problem.BadConfiguration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What stands behind a command: places, flags with a value, and flags without one. */
final class Arguments {

    private final List<String> places = new ArrayList<>();
    private final Map<String, String> values = new HashMap<>();
    private final Map<String, List<String>> pairs = new HashMap<>();

    /** Refuses flags that are not known, are given twice, or lack their value. */
    Arguments(List<String> given, List<String> withValue, List<String> without) {
        this(given, withValue, without, List.of());
    }

    /** @param ofPairs flags among those with a value that take NAME=VALUE and can be given several times */
    Arguments(List<String> given, List<String> withValue, List<String> without, List<String> ofPairs) {
        for (int i = 0; i < given.size(); i++) {
            String flag = given.get(i);
            if (!flag.startsWith("--")) {
                places.add(flag);
                continue;
            }
            if (!withValue.contains(flag) && !without.contains(flag)) {
                List<String> all = new ArrayList<>(withValue);
                all.addAll(without);
                throw new BadConfiguration("there is no flag '" + flag + "'; " + Nearest.hint(flag, all));
            }
            if (withValue.contains(flag) && i + 1 == given.size()) {
                throw new BadConfiguration(flag + " needs a value");
            }
            String value = withValue.contains(flag) ? given.get(++i) : "true";
            if (ofPairs.contains(flag)) {
                pairs.computeIfAbsent(flag, f -> new ArrayList<>()).add(value);
            } else if (values.put(flag, value) != null) {
                throw new BadConfiguration(flag + " is given twice");
            }
        }
    }

    /** Refuses another number of places than these. */
    List<String> places(String... names) {
        if (places.size() != names.length) {
            throw new BadConfiguration("expected " + String.join(" ", names) + ", got "
                    + (places.isEmpty() ? "nothing" : String.join(" ", places)));
        }
        return places;
    }

    boolean has(String flag) {
        return values.containsKey(flag);
    }

    @Nullable
    String text(String flag) {
        return values.get(flag);
    }

    String text(String flag, String otherwise) {
        return values.getOrDefault(flag, otherwise);
    }

    /** What a flag says by name, the last word counting; refuses what is no pair. */
    Map<String, String> pairs(String flag) {
        Map<String, String> byName = new LinkedHashMap<>();
        for (String pair : pairs.getOrDefault(flag, List.of())) {
            int sign = pair.indexOf('=');
            if (sign < 1) {
                throw new BadConfiguration(flag + " takes NAME=VALUE, got '" + pair + "'");
            }
            byName.put(pair.substring(0, sign), pair.substring(sign + 1));
        }
        return byName;
    }

    /** What was given of a group of options, by their names. */
    Map<String, String> among(OptionGroup group) {
        Map<String, String> given = new LinkedHashMap<>();
        group.names().stream()
                .filter(name -> values.containsKey("--" + name))
                .forEach(name -> given.put(name, values.getOrDefault("--" + name, "")));
        return given;
    }

    String required(String flag) {
        String value = values.get(flag);
        if (value == null) {
            throw new BadConfiguration(flag + " is missing");
        }
        return value;
    }

    @Nullable
    Double share(String flag) {
        String value = values.get(flag);
        if (value == null) {
            return null;
        }
        try {
            double share = Double.parseDouble(value);
            if (share > 0 && share < 1) {
                return share;
            }
        } catch (NumberFormatException e) {
            throw new BadConfiguration(flag + " takes a number between 0 and 1, got '" + value + "'", e);
        }
        throw new BadConfiguration(flag + " takes a number between 0 and 1, got '" + value + "'");
    }

    int count(String flag) {
        String value = values.get(flag);
        try {
            return value == null ? 0 : Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new BadConfiguration(flag + " takes a whole number, got '" + value + "'", e);
        }
    }
}
