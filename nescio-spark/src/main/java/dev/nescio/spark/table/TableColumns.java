// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.table;

import dev.nescio.graph.TableSchema;
import dev.nescio.problem.BadInput;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Which columns of two Datasets make a graph: those that a detector was trained on, or where that was not on tables, {@code id}, {@code
 * features}, {@code source} and {@code target}.
 *
 * @param features numbers as they are; null where the detector's schema says how columns become features
 */
public record TableColumns(String id, @Nullable String features, String source, String target, boolean directed)
        implements Serializable {

    /** The columns that a detector expects. */
    public static TableColumns of(@Nullable TableSchema schema) {
        return schema == null
                ? new TableColumns("id", "features", "source", "target", false)
                : new TableColumns(schema.id(), null, schema.source(), schema.target(), schema.directed());
    }

    /** Refuses Datasets that lack a column, before anything runs. */
    public void require(StructType nodes, StructType edges, @Nullable TableSchema schema) {
        requireId("nodes", nodes, id);
        if (features != null) {
            require("nodes", nodes, features);
        }
        if (schema != null) {
            schema.columns().forEach(column -> require("nodes", nodes, column.name()));
        }
        requireId("edges", edges, source);
        requireId("edges", edges, target);
    }

    /** Bytes would become texts in another way on one machine. */
    private static void requireId(String table, StructType columns, String wanted) {
        require(table, columns, wanted);
        if (columns.apply(wanted).dataType() instanceof BinaryType) {
            throw new BadInput(
                    table + ": column '" + wanted + "' holds bytes, which are no ids; texts and numbers are");
        }
    }

    private static void require(String table, StructType columns, String wanted) {
        List<String> names = Arrays.asList(columns.fieldNames());
        if (!names.contains(wanted)) {
            throw new BadInput(table + " has no column '" + wanted + "', which the detector needs; it has "
                    + (names.isEmpty() ? "none" : String.join(", ", names)));
        }
    }
}
