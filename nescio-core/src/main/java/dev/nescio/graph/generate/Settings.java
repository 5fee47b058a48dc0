// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph.generate;

import dev.nescio.problem.BadConfiguration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Numbers by name, written {@code key=value&key=value}. */
final class Settings {

    private final Map<String, Double> values;

    private Settings(Map<String, Double> values) {
        this.values = values;
    }

    static Settings of(String text) {
        return new Settings(parse(text));
    }

    /** These settings with some of them replaced; unknown names are refused. */
    Settings changed(String text) {
        Map<String, Double> changed = new LinkedHashMap<>(values);
        parse(text).forEach((key, value) -> {
            if (changed.replace(key, value) == null) {
                throw new BadConfiguration(
                        "there is no setting '" + key + "'; there are " + String.join(", ", values.keySet()));
            }
        });
        return new Settings(changed);
    }

    double number(String key) {
        return Objects.requireNonNull(values.get(key), key);
    }

    int whole(String key) {
        double value = number(key);
        if (value != Math.rint(value) || Math.abs(value) > Integer.MAX_VALUE) {
            throw new BadConfiguration(key + " must be a whole number, got " + value);
        }
        return (int) value;
    }

    private static Map<String, Double> parse(String text) {
        Map<String, Double> parsed = new LinkedHashMap<>();
        for (String part : text.split("&")) {
            String[] pair = part.split("=", 2);
            try {
                parsed.put(pair[0], Double.valueOf(pair[1]));
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
                throw new BadConfiguration("expected NAME=NUMBER, got '" + part + "'", e);
            }
        }
        return parsed;
    }

    @Override
    public String toString() {
        return values.entrySet().stream()
                .map(e -> e.getKey() + "="
                        + (e.getValue() == Math.rint(e.getValue())
                                ? String.valueOf(e.getValue().longValue())
                                : e.getValue().toString()))
                .collect(Collectors.joining("&"));
    }
}
