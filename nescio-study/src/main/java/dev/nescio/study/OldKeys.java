// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.Preprocessing;
import dev.nescio.io.detector.FormatOne;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.network.Architectures;
import dev.nescio.option.Key;
import dev.nescio.uncertainty.EstimatorSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keys of format 1: the texts of records, such as {@code ModelOptions[hidden=8, choices={}]; Training[seed=0, ...]}, in terms of
 * today.
 */
final class OldKeys {

    private static final Pattern TRIAL = Pattern.compile("(\\w+) (Preprocessing\\[.*?\\]) (.+?) ([a-z0-9-]+)"
            + " (ModelOptions\\[.*\\]) (Training(?:Options)?\\[.*\\])");

    private OldKeys() {}

    static boolean isOld(String text) {
        return text.startsWith("ModelOptions[") || text.contains(" ModelOptions[");
    }

    /** The key of a row. */
    static Key row(String text, String model, EstimatorSpec estimator) {
        Map<String, String> fields = new LinkedHashMap<>();
        Key key = Key.empty();
        for (String part : text.split("; ")) {
            int bracket = part.indexOf('[');
            if (bracket < 0) {
                int last = part.lastIndexOf(' ');
                fields.put(part.substring(0, last), part.substring(last + 1));
            } else {
                key = and(key, part.substring(0, bracket), fields(part), model, fields);
            }
        }
        Map<String, String> own = new LinkedHashMap<>(fields);
        own.keySet().retainAll(estimator.estimator().options().names());
        key = key.and("estimator", estimator.estimator().options().restore(own));
        return key.and("study", judging(fields));
    }

    private static Key and(
            Key key, String record, Map<String, String> fields, String model, Map<String, String> ofEstimator) {
        return switch (record) {
            case "ModelOptions" ->
                key.and("model", Architectures.named(model).options().restore(fields));
            case "Training", "TrainingOptions" -> key.and(Group.TRAINING, TrainingOptions.GROUP.restore(fields));
            case "Preprocessing" -> key.and("preprocessing", Preprocessing.GROUP.restore(fields));
            default -> {
                ofEstimator.putAll(fields);
                yield key;
            }
        };
    }

    private static Map<String, String> judging(Map<String, String> fields) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put(DetectorOptions.DROP_LEFT_OUT.name(), fields.getOrDefault("drop left-out nodes", "false"));
        values.put(Study.CALIBRATION_BINS.name(), fields.getOrDefault("calibration bins", "10"));
        return Study.GROUP.restore(values).stored();
    }

    /** The key of a line of a journal. */
    static String trial(String text) {
        Matcher matcher = TRIAL.matcher(text);
        if (!matcher.matches()) {
            return text;
        }
        String model = matcher.group(4);
        Key key = Key.empty();
        for (int group : new int[] {5, 6, 2}) {
            String record = matcher.group(group);
            key = and(key, record.substring(0, record.indexOf('[')), fields(record), model, new LinkedHashMap<>());
        }
        return Tuning.key(matcher.group(1), matcher.group(3), model, key);
    }

    /** The fields of a record by the names and in the form that options have today. */
    private static Map<String, String> fields(String record) {
        Map<String, String> fields = new LinkedHashMap<>();
        String inner = record.substring(record.indexOf('[') + 1, record.length() - 1);
        for (String field : split(inner)) {
            int equals = field.indexOf('=');
            String value = field.substring(equals + 1);
            if (value.startsWith("{")) {
                split(value.substring(1, value.length() - 1)).forEach(choice -> {
                    int at = choice.indexOf('=');
                    fields.put(choice.substring(0, at), choice.substring(at + 1));
                });
            } else {
                fields.put(FormatOne.name(field.substring(0, equals)), FormatOne.value(value));
            }
        }
        return fields;
    }

    /** Splits at commas that stand in no bracket. */
    private static List<String> split(String text) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int begin = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
            if (c == ',' && depth == 0) {
                parts.add(text.substring(begin, i).strip());
                begin = i + 1;
            }
        }
        if (begin < text.length()) {
            parts.add(text.substring(begin).strip());
        }
        return parts;
    }
}
