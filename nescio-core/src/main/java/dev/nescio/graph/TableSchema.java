// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph;

import dev.nescio.option.Nearest;
import dev.nescio.problem.BadInput;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How the tables of a graph became nodes, edges and features. Learned from the tables that a network was trained on, and
 * used as it is on every later one: nothing about a new table changes what a feature means.
 *
 * @param id column of the node ids
 * @param label column of the labels, null where there is none
 * @param source column of the edges where they begin
 * @param target column of the edges where they end
 * @param directed whether messages go from source to target only
 * @param columns of the features
 */
public record TableSchema(
        String id, @Nullable String label, String source, String target, boolean directed, List<Column> columns)
        implements Serializable {

    /** Keeps an unmodifiable copy of the columns. */
    public TableSchema {
        columns = List.copyOf(columns);
    }

    /** What a column holds. */
    public enum Kind {
        /** One number per field, or equally many in each; every number becomes one scaled feature. */
        NUMBERS,
        /** Names or words; every known one becomes a feature that is 0 or 1. */
        CATEGORY
    }

    /**
     * One number of a column: the feature is {@code (x - centre) / unit}, or the inverse hyperbolic sine of that, which grows
     * like a logarithm on both sides, where the column has a long tail.
     *
     * @param missing what stands for a value that is not there; not finite where that is refused
     * @param longTail whether the column has one
     */
    public record Scale(double centre, double unit, double missing, boolean longTail) implements Serializable {

        /** A linear scale, for a column without a long tail. */
        public Scale(double centre, double unit, double missing) {
            this(centre, unit, missing, false);
        }

        /**
         * The feature that a value becomes; NaN stands for a missing value. The result is not finite where missing values are
         * refused, or where the value is too large.
         */
        public float apply(double value) {
            double scaled = ((Double.isNaN(value) ? missing : value) - centre) / unit;
            return (float) (longTail ? asinh(scaled) : scaled);
        }

        /** The value that a feature was made from, in the units of the table. */
        public double undo(double feature) {
            return (longTail ? Math.sinh(feature) : feature) * unit + centre;
        }

        private static double asinh(double x) {
            return Math.copySign(Math.log(Math.abs(x) + Math.sqrt(x * x + 1)), x);
        }
    }

    /**
     * One column.
     *
     * @param numbers one per number in a field, as a rule one; none for a category
     * @param categories one feature each, 1 for the one that a node has; others and missing ones have none
     */
    public record Column(String name, Kind kind, List<Scale> numbers, List<String> categories) implements Serializable {

        /** Copies both lists; refuses a category that is listed twice. */
        public Column {
            numbers = List.copyOf(numbers);
            categories = List.copyOf(categories);
            if (new HashSet<>(categories).size() < categories.size()) {
                throw new BadInput("column '" + name + "' has a category twice");
            }
        }

        /** A column of numbers, with one scale for each number in a field. */
        public static Column numbers(String name, List<Scale> scales) {
            return new Column(name, Kind.NUMBERS, scales, List.of());
        }

        /** A column of categories, each of which becomes a feature in this order. */
        public static Column category(String name, List<String> values) {
            return new Column(name, Kind.CATEGORY, List.of(), values);
        }

        private void put(@Nullable Object value, float[] features, int offset) {
            if (kind == Kind.CATEGORY) {
                int place = value == null ? -1 : category(value.toString());
                if (place >= 0) {
                    features[offset + place] = 1;
                }
                return;
            }
            double[] given = given(value);
            for (int i = 0; i < given.length; i++) {
                float feature = numbers.get(i).apply(given[i]);
                if (!Float.isFinite(feature)) {
                    throw new BadInput("column '" + name + "' is "
                            + (Double.isNaN(given[i])
                                    ? "missing, which the table that was learned from never was"
                                    : given[i]));
                }
                features[offset + i] = feature;
            }
        }

        /** Whether a value can be told from others: a number always, a category where it was seen before. */
        public boolean knows(Object value) {
            return kind != Kind.CATEGORY || category(value.toString()) >= 0;
        }

        /** The place of a category, however truth is written; -1 for an unknown one. */
        private int category(String text) {
            int exact = categories.indexOf(text);
            boolean isTruth = text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false");
            return exact >= 0 || !isTruth
                    ? exact
                    : IntStream.range(0, categories.size())
                            .filter(i -> categories.get(i).equalsIgnoreCase(text))
                            .findFirst()
                            .orElse(-1);
        }

        private double[] given(@Nullable Object value) {
            double[] given = new double[numbers.size()];
            if (value == null) {
                Arrays.fill(given, Double.NaN);
                return given;
            }
            List<?> parts = value instanceof List<?> list ? list : List.of(value);
            if (parts.size() != given.length) {
                throw new BadInput("column '" + name + "' takes " + given.length + " numbers, got " + parts.size());
            }
            for (int i = 0; i < given.length; i++) {
                Object part = parts.get(i);
                if (!(part instanceof Number number)) {
                    throw new BadInput("column '" + name + "' takes numbers, got '" + part + "'");
                }
                given[i] = number.doubleValue();
            }
            return given;
        }

        /** How many features it makes. */
        public int width() {
            return numbers.size() + categories.size();
        }
    }

    /** How a feature was made from a number; null where it stands for a category. */
    public @Nullable Scale scale(int feature) {
        int offset = 0;
        for (Column column : columns) {
            if (feature < offset + column.width()) {
                return column.kind == Kind.CATEGORY ? null : column.numbers.get(feature - offset);
            }
            offset += column.width();
        }
        throw new IndexOutOfBoundsException(feature);
    }

    /**
     * The features of a node by its columns, as if they stood in a table. Columns that are not given are missing; those that the
     * schema does not know are refused.
     */
    public float[] features(Map<String, ?> row) {
        List<String> names = columns.stream().map(Column::name).toList();
        for (String name : row.keySet()) {
            if (!names.contains(name) && !name.equals(id) && !name.equals(label)) {
                throw new BadInput("there is no column '" + name + "'; " + Nearest.hint(name, names));
            }
        }
        float[] features = new float[width()];
        int offset = 0;
        for (Column column : columns) {
            column.put(row.get(column.name), features, offset);
            offset += column.width();
        }
        return features;
    }

    /** How many features all columns make. */
    public int width() {
        return columns.stream().mapToInt(Column::width).sum();
    }

    /** What each feature is called: {@code age}, {@code country=CH}, {@code embedding[3]}. */
    public List<String> featureNames() {
        List<String> names = new ArrayList<>();
        for (Column column : columns) {
            column.categories.forEach(value -> names.add(column.name + "=" + value));
            for (int i = 0; i < column.numbers.size(); i++) {
                names.add(column.numbers.size() == 1 ? column.name : column.name + "[" + i + "]");
            }
        }
        return names;
    }
}
