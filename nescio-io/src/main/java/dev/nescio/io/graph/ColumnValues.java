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
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of one column of features as they arrive, and what they become. */
public abstract class ColumnValues {

    private static final int FIRST_SIZE = 1024;
    static final int MOST_CATEGORIES = 1000;

    final String name;
    final int column;
    int count;

    private ColumnValues(String name, int column) {
        this.name = name;
        this.column = column;
    }

    /** Takes the field of the current row. */
    abstract void add(TableReader table);

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
            double filler =
                    switch (layout.missing()) {
                        case MEAN -> mean;
                        case ZERO -> 0;
                        case REFUSE -> Double.NaN;
                    };
            return layout.standardise()
                    ? new TableSchema.Scale(mean, deviation > 0 ? deviation : 1, filler)
                    : new TableSchema.Scale(0, 1, filler);
        }

        @Override
        String encode(TableSchema.Column schema, float[] matrix, int width, int offset) {
            for (int row = 0; row < count; row++) {
                for (int i = 0; i < perField; i++) {
                    matrix[row * width + offset + i] = schema.numbers().get(i).apply(values[row * perField + i]);
                }
            }
            values = new double[0];
            return missing == 0 ? "" : "column '" + name + "': " + missing + " values are missing";
        }
    }

    private static final class Category extends ColumnValues {

        private final Map<String, Integer> numbers = new HashMap<>();
        private final boolean isOpen;
        private int[] values = new int[FIRST_SIZE];
        private long unknown;

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
            String text = table.text(column);
            if (text == null || Values.isMissing(text)) {
                values[count++] = -1;
                return;
            }
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
            return unknown == 0
                    ? ""
                    : "column '" + name + "': " + unknown + " values are none of the " + numbers.size() + " known ones";
        }
    }
}
