// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.table;

import dev.nescio.io.table.TableReader;
import dev.nescio.problem.BadInput;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** Rows of a Dataset as a table, so that whatever reads files reads them in the same way. */
public final class RowsReader implements TableReader {

    private final String name;
    private final List<String> columns;
    private final Iterator<Row> rows;
    private @Nullable Row current;
    private long number;

    /** @param name of the table, for messages */
    public RowsReader(String name, StructType schema, Iterator<Row> rows) {
        this.name = name;
        this.columns = List.of(schema.fieldNames());
        this.rows = rows;
    }

    private Row here() {
        return Objects.requireNonNull(current, "next() comes first");
    }

    @Override
    public String file() {
        return name;
    }

    @Override
    public List<String> columns() {
        return columns;
    }

    @Override
    public boolean next() {
        boolean isThere = rows.hasNext();
        if (isThere) {
            current = rows.next();
            number++;
        }
        return isThere;
    }

    @Override
    public @Nullable String text(int column) {
        Object value = here().get(column);
        if (value instanceof byte[]) {
            throw new BadInput(name + ": column '" + columns.get(column) + "' holds bytes, not texts or numbers");
        }
        String text = value == null ? null : text(value);
        return text == null || text.isEmpty() ? null : text;
    }

    private static String text(Object value) {
        if (value instanceof Vector vector) {
            return Arrays.toString(vector.toArray());
        }
        if (value instanceof scala.collection.Seq<?> parts) {
            return IntStream.range(0, parts.length())
                    .mapToObj(i -> String.valueOf(parts.apply(i)))
                    .collect(Collectors.joining(", ", "[", "]"));
        }
        return value instanceof BigDecimal decimal ? decimal.toPlainString() : value.toString();
    }

    /** What stands in a field, with its type. */
    @Nullable
    Object value(int column) {
        return here().get(column);
    }

    @Override
    public double number(int column) {
        Object value = here().get(column);
        if (value instanceof Number given) {
            return given.doubleValue();
        }
        return value instanceof Boolean flag ? flag ? 1 : 0 : TableReader.super.number(column);
    }

    @Override
    public long row() {
        return number;
    }

    /** Rows of a Dataset have no numbers; what the row says is the best that can be said. */
    @Override
    public String place(long row) {
        return row == number && current != null ? "row " + shortened(current.toString()) : "row";
    }

    private static String shortened(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "…";
    }

    @Override
    public void close() {}
}
