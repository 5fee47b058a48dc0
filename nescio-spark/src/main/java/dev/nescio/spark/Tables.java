// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark;

import dev.nescio.problem.BadConfiguration;
import java.util.Arrays;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.ArrayType;

/** Tables in files or folders, anywhere that Spark reads from; the ending says how they are stored. */
final class Tables {

    private Tables() {}

    static Dataset<Row> read(String place, SparkSession spark) {
        return isCsv(place)
                ? spark.read().option("header", true).option("escape", "\"").csv(place)
                : spark.read().parquet(place);
    }

    /** Refuses an ending that nothing can be written for. */
    static void require(String place) {
        isCsv(place);
    }

    static void write(Dataset<Row> table, String place) {
        if (isCsv(place)) {
            flat(table)
                    .write()
                    .mode(SaveMode.ErrorIfExists)
                    .option("header", true)
                    .option("escape", "\"")
                    .option("ignoreLeadingWhiteSpace", false)
                    .option("ignoreTrailingWhiteSpace", false)
                    .csv(place);
        } else {
            table.write().mode(SaveMode.ErrorIfExists).parquet(place);
        }
    }

    /** Lists of texts become one text each, as in the tables of {@code nescio score}. */
    private static Dataset<Row> flat(Dataset<Row> table) {
        Column[] columns = Arrays.stream(table.schema().fields())
                .map(field -> {
                    Column column = functions.col("`" + field.name().replace("`", "``") + "`");
                    return field.dataType() instanceof ArrayType
                            ? functions.array_join(column, "|").as(field.name())
                            : column;
                })
                .toArray(Column[]::new);
        return table.select(columns);
    }

    private static boolean isCsv(String place) {
        if (place.endsWith(".csv") || place.endsWith(".csv.gz")) {
            return true;
        }
        if (place.endsWith(".parquet")) {
            return false;
        }
        throw new BadConfiguration(place + " is not a table: its name should end in .parquet, .csv or .csv.gz");
    }
}
