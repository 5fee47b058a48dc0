// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import dev.nescio.graph.TableSchema;
import dev.nescio.io.table.TableProblem;
import dev.nescio.io.table.TableReader;
import dev.nescio.io.table.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The fields of one column of features as they arrive, and what they become. */
public abstract class ColumnValues {

    private static final int FIRST_SIZE = 1024;
    static final int MOST_CATEGORIES = 1000;
    /** Labels have few values, and ids have many. */
    private static final int MOST_CATEGORIES_OF_A_CLASS = 50;

    final String name;
    final int column;
    int count;

    private ColumnValues(String name, int column) {
        this.name = name;
        this.column = column;
    }

    /** Takes the field of the current row. */
    abstract void add(TableReader table);

    /** What the column holds, once all rows have been added. */
    abstract ColumnProfile profile(TableSchema.Column schema);

    /** What the column means, by what it holds. */
    abstract TableSchema.Column learn(TableLayout layout);

    /** Writes the features of all rows into columns of a matrix that begin at an offset; returns a remark or nothing. */
    abstract String encode(TableSchema.Column schema, float[] matrix, int width, int offset);

    static ColumnValues numbers(String name, int column, int perField) {
        return new Numbers(name, column, perField);
    }

    static ColumnValues category(String name, int column, @Nullable List<String> known) {
        return new Category(name, column, known);
    }

    final boolean soundsLikeLabel() {
        return ColumnProfile.soundsLikeLabel(name);
    }

    final String labelWarning() {
        return "sounds like a label but is used as a feature: --label " + name + ", or --ignore " + name;
    }

    /** The middle half of some numbers: its median, and the deviation of a normal distribution with such a half. */
    private record Middle(double median, double deviation) {

        private static final double NORMAL = 1.349;
        /** In deviations: more than an exponential distribution of a million values reaches. */
        private static final double FAR = 20;
        /** Values that tell where the middle is. */
        private static final int SAMPLE = 10_000;

        /** Null where half of the values are the same. */
        static @Nullable Middle of(double[] values, int which, int count, int perField) {
            int step = Math.max(1, count / SAMPLE);
            double[] sorted = new double[count / step + 1];
            int present = 0;
            for (int i = which; i < count * perField; i += step * perField) {
                if (!Double.isNaN(values[i])) {
                    sorted[present++] = values[i];
                }
            }
            Arrays.sort(sorted, 0, present);
            double range = present == 0 ? 0 : sorted[3 * (present - 1) / 4] - sorted[(present - 1) / 4];
            return range > 0 ? new Middle(sorted[present / 2], range / NORMAL) : null;
        }

        boolean isFarFrom(double[] values, int which, int count, int perField) {
            for (int i = which; i < count * perField; i += perField) {
                if (Math.abs(values[i] - median) > FAR * deviation) {
                    return true;
                }
            }
            return false;
        }
    }

    /** How many numbers a field holds: {@code 0.5} one, {@code "0.1, 0.2"} two; 0 where it is no number. */
    static int numbersIn(String text) {
        int numbers = 0;
        for (String part : parts(text)) {
            try {
                Values.number(part);
                numbers++;
            } catch (NumberFormatException e) {
                return 0;
            }
        }
        return numbers;
    }

    /** Whether a field may be one number with a decimal comma as well as two numbers. */
    static boolean isAmbiguous(String text) {
        return text.strip().matches("-?\\d+,\\d+");
    }

    private static String[] parts(String text) {
        String inner = text.strip();
        if (inner.startsWith("[") && inner.endsWith("]")) {
            inner = inner.substring(1, inner.length() - 1).strip();
        }
        return inner.indexOf(',') < 0 && inner.indexOf(' ') < 0 ? new String[] {inner} : inner.split("[,\\s]+", -1);
    }

    private static final class Numbers extends ColumnValues {

        private final int perField;
        private double[] values;
        private long missing;
        private boolean isLearned;

        Numbers(String name, int column, int perField) {
            super(name, column);
            this.perField = perField;
            this.values = new double[Math.max(FIRST_SIZE, perField)];
        }

        @Override
        void add(TableReader table) {
            int end = Math.multiplyExact(count + 1, perField);
            if (end > values.length) {
                values =
                        Arrays.copyOf(values, (int) Math.min(Integer.MAX_VALUE - 8, Math.max(end, 2L * values.length)));
            }
            if (perField == 1) {
                put(table, count, table.number(column));
            } else {
                addSeveral(table);
            }
            count++;
        }

        private void addSeveral(TableReader table) {
            String text = table.text(column);
            if (text == null || Values.isMissing(text)) {
                for (int i = 0; i < perField; i++) {
                    put(table, count * perField + i, Double.NaN);
                }
                return;
            }
            String[] parts = parts(text);
            if (parts.length != perField) {
                throw TableProblem.of(table, column, "holds " + parts.length + " numbers, not " + perField);
            }
            for (int i = 0; i < perField; i++) {
                try {
                    put(table, count * perField + i, Values.number(parts[i]));
                } catch (NumberFormatException e) {
                    throw TableProblem.of(table, column, "holds '" + parts[i] + "', which is not a number");
                }
            }
        }

        private void put(TableReader table, int at, double value) {
            values[at] = value;
            if (Double.isNaN(value)) {
                missing++;
            } else if (Float.isInfinite((float) value)) {
                throw TableProblem.of(table, column, "is too large: features must be finite");
            }
        }

        @Override
        TableSchema.Column learn(TableLayout layout) {
            List<TableSchema.Scale> scales = new ArrayList<>();
            for (int i = 0; i < perField; i++) {
                scales.add(scale(i, layout));
            }
            isLearned = true;
            return TableSchema.Column.numbers(name, scales);
        }

        private TableSchema.Scale scale(int which, TableLayout layout) {
            double sum = 0;
            long present = 0;
            for (int i = which; i < count * perField; i += perField) {
                if (!Double.isNaN(values[i])) {
                    sum += values[i];
                    present++;
                }
            }
            double mean = present == 0 ? 0 : sum / present;
            double squares = 0;
            for (int i = which; i < count * perField; i += perField) {
                double difference = Double.isNaN(values[i]) ? 0 : values[i] - mean;
                squares += difference * difference;
            }
            double deviation = present == 0 ? 0 : Math.sqrt(squares / present);
            if (!layout.standardise()) {
                return new TableSchema.Scale(0, 1, filler(layout, mean));
            }
            Middle middle = deviation > 0 ? Middle.of(values, which, count, perField) : null;
            return middle != null && middle.isFarFrom(values, which, count, perField)
                    ? new TableSchema.Scale(middle.median, middle.deviation, filler(layout, middle.median), true)
                    : new TableSchema.Scale(mean, deviation > 0 ? deviation : 1, filler(layout, mean));
        }

        private static double filler(TableLayout layout, double usual) {
            return switch (layout.missing()) {
                case MEAN -> usual;
                case ZERO -> 0;
                case REFUSE -> Double.NaN;
            };
        }

        @Override
        ColumnProfile profile(TableSchema.Column schema) {
            double[] sorted = Arrays.stream(values, 0, count * perField)
                    .filter(value -> !Double.isNaN(value))
                    .sorted()
                    .toArray();
            long different = Arrays.stream(sorted).distinct().count();
            boolean areWhole = Arrays.stream(sorted).allMatch(value -> value == Math.rint(value));
            boolean looksLikeId = perField == 1 && areWhole && different == count && count > MOST_CATEGORIES_OF_A_CLASS;
            boolean looksLikeLabel = soundsLikeLabel() && areWhole && different <= MOST_CATEGORIES_OF_A_CLASS;
            return new ColumnProfile(
                    name,
                    "feature",
                    perField == 1 ? "number" : perField + " numbers",
                    missing,
                    sorted.length == 0 ? "" : shortly(sorted[0]) + " to " + shortly(sorted[sorted.length - 1]),
                    treatment(schema),
                    different == 1
                            ? "is the same everywhere"
                            : looksLikeLabel
                                    ? labelWarning()
                                    : looksLikeId && ColumnProfile.soundsLikeId(name)
                                            ? "has a different whole number in every row: if that is an id, --ignore "
                                                    + name
                                            : "");
        }

        private String treatment(TableSchema.Column schema) {
            TableSchema.Scale scale = schema.numbers().get(0);
            String scaling = scale.longTail()
                    ? "long tail: asinh((x - median) / spread of the middle half)"
                    : scale.centre() == 0 && scale.unit() == 1 ? "as it is" : "to mean 0 and deviation 1";
            return missing == 0 ? scaling : scaling + "; missing = " + shortly(scale.missing());
        }

        private static String shortly(double value) {
            return value == Math.rint(value) && Math.abs(value) < 1e15
                    ? String.format(Locale.ROOT, "%,d", (long) value)
                    : String.format(Locale.ROOT, "%.4g", value);
        }

        @Override
        String encode(TableSchema.Column schema, float[] matrix, int width, int offset) {
            for (int row = 0; row < count; row++) {
                for (int i = 0; i < perField; i++) {
                    matrix[row * width + offset + i] = schema.numbers().get(i).apply(values[row * perField + i]);
                }
            }
            values = new double[0];
            String gaps = missing == 0 ? "" : "column '" + name + "': " + missing + " values are missing";
            boolean isLong = schema.numbers().stream().anyMatch(TableSchema.Scale::longTail);
            return !isLong || !isLearned
                    ? gaps
                    : "column '" + name
                            + "' has a long tail: its values are measured from the median, and large ones like logarithms"
                            + (gaps.isEmpty() ? "" : "; " + missing + " are missing");
        }
    }

    private static final class Category extends ColumnValues {

        private final Map<String, Integer> numbers = new HashMap<>();
        private final boolean isOpen;
        private int[] values = new int[FIRST_SIZE];
        private long unknown;
        private long missing;

        Category(String name, int column, @Nullable List<String> known) {
            super(name, column);
            this.isOpen = known == null;
            for (int i = 0; known != null && i < known.size(); i++) {
                numbers.put(known.get(i), i);
            }
        }

        @Override
        void add(TableReader table) {
            if (count == values.length) {
                values = Arrays.copyOf(values, 2 * values.length);
            }
            String field = table.text(column);
            if (field == null || Values.isMissing(field)) {
                values[count++] = -1;
                missing++;
                return;
            }
            String text = canonical(field);
            Integer number = numbers.get(text);
            if (number == null && isOpen) {
                number = numbers.size();
                numbers.put(text, number);
                if (number >= MOST_CATEGORIES) {
                    throw TableProblem.of(
                            table,
                            column,
                            "is one of more than " + MOST_CATEGORIES
                                    + " different texts: too many for a category; leave the column out with --ignore "
                                    + name);
                }
            }
            unknown += number == null ? 1 : 0;
            values[count++] = number == null ? -1 : number;
        }

        /** Truth is written in several ways: by one program True, by another true. */
        private String canonical(String text) {
            if (!text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false")) {
                return text;
            }
            String lower = text.toLowerCase(Locale.ROOT);
            String title = lower.substring(0, 1).toUpperCase(Locale.ROOT) + lower.substring(1);
            return isOpen
                    ? lower
                    : Stream.of(text, lower, title, text.toUpperCase(Locale.ROOT))
                            .filter(numbers::containsKey)
                            .findFirst()
                            .orElse(text);
        }

        @Override
        ColumnProfile profile(TableSchema.Column schema) {
            List<String> some = schema.categories();
            int shown = Math.min(3, some.size());
            return new ColumnProfile(
                    name,
                    "feature",
                    "category",
                    missing,
                    String.join(", ", some.subList(0, shown))
                            + (some.size() > shown ? " and " + (some.size() - shown) + " more" : ""),
                    "one feature for each" + (missing == 0 ? "" : "; missing = none of them"),
                    soundsLikeLabel() && some.size() <= MOST_CATEGORIES_OF_A_CLASS
                            ? labelWarning()
                            : some.size() > count / 2 && count > MOST_CATEGORIES_OF_A_CLASS
                                    ? "differs in most rows: if that is a name or an id, --ignore " + name
                                    : "");
        }

        @Override
        TableSchema.Column learn(TableLayout layout) {
            return TableSchema.Column.category(name, Names.sorted(numbers.keySet()));
        }

        @Override
        String encode(TableSchema.Column schema, float[] matrix, int width, int offset) {
            int[] position = new int[numbers.size()];
            numbers.forEach(
                    (value, number) -> position[number] = schema.categories().indexOf(value));
            for (int row = 0; row < count; row++) {
                if (values[row] >= 0) {
                    matrix[row * width + offset + position[values[row]]] = 1;
                }
            }
            values = new int[0];
            return Stream.of(
                            unknown == 0 ? "" : unknown + " values are none of the " + numbers.size() + " known ones",
                            missing == 0 ? "" : missing + " values are missing")
                    .filter(remark -> !remark.isEmpty())
                    .reduce((a, b) -> a + ", " + b)
                    .map(remarks -> "column '" + name + "': " + remarks)
                    .orElse("");
        }
    }
}
