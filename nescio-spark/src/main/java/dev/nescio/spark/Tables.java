// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark;

import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkThrowable;
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

    /** Refuses a place where nothing is, and files that are no tables. */
    static Dataset<Row> read(String place, SparkSession spark) {
        boolean isCsv = isCsv(place);
        if (!isThere(place, spark, "read")) {
            throw new BadInput(place + " does not exist");
        }
        try {
            return isCsv ? csv(place, spark) : spark.read().parquet(place);
        } catch (Exception e) {
            throw new BadInput(place + " cannot be read: " + Mistakes.sentence(e), e);
        }
    }

    /** As strict as the local command: rows of another length and bytes that are not UTF-8 are refused, quoted line breaks are not. */
    private static Dataset<Row> csv(String place, SparkSession spark) {
        Dataset<Row> table = spark.read()
                .option("header", true)
                .option("escape", "\"")
                .option("multiLine", true)
                .option("mode", "FAILFAST")
                .option("columnPruning", false)
                .csv(place);
        Column[] checked =
                Arrays.stream(table.columns()).map(name -> checked(place, name)).toArray(Column[]::new);
        return table.select(checked);
    }

    /** Spark puts U+FFFD in the place of bytes that are no characters, and two ids could become one. */
    private static Column checked(String place, String name) {
        Column column = column(name);
        Column refusal =
                functions.raise_error(functions.lit(place + ": column '" + name + "' holds text that is not UTF-8"));
        return functions
                .when(column.contains("\uFFFD"), refusal)
                .otherwise(column)
                .as(name);
    }

    private static Column column(String name) {
        return functions.col("`" + name.replace("`", "``") + "`");
    }

    /** Refuses an ending that nothing can be written for, and a place where something is already. */
    static void requireFree(String place, SparkSession spark) {
        isCsv(place);
        if (isThere(place, spark, "written")) {
            throw new BadConfiguration(place + " exists already; it is left alone");
        }
    }

    private static boolean isThere(String place, SparkSession spark, String what) {
        try {
            Path path = new Path(place);
            FileStatus[] found = files(path, spark).globStatus(path);
            return found != null && found.length > 0;
        } catch (IOException | IllegalArgumentException e) {
            throw new BadConfiguration(place + " cannot be " + what + ": " + e.getMessage(), e);
        }
    }

    private static FileSystem files(Path path, SparkSession spark) throws IOException {
        return path.getFileSystem(spark.sparkContext().hadoopConfiguration());
    }

    /** Writes where nothing was; what has been written of a table that fails is removed. */
    static void write(Dataset<Row> table, String place) {
        try {
            if (isCsv(place)) {
                flat(table)
                        .write()
                        .mode(SaveMode.ErrorIfExists)
                        .option("header", true)
                        .option("escape", "\"")
                        .option("ignoreLeadingWhiteSpace", false)
                        .option("ignoreTrailingWhiteSpace", false)
                        .option("compression", place.endsWith(".gz") ? "gzip" : "none")
                        .csv(place);
            } else {
                table.write().mode(SaveMode.ErrorIfExists).parquet(place);
            }
        } catch (Exception e) {
            if (!isTaken(e)) {
                remove(new Path(place), table.sparkSession());
            }
            throw e;
        }
    }

    /** Whether somebody else was faster: what is there is theirs. */
    private static boolean isTaken(Exception problem) {
        return problem instanceof SparkThrowable known && "PATH_ALREADY_EXISTS".equals(known.getCondition());
    }

    private static void remove(Path place, SparkSession spark) {
        try {
            files(place, spark).delete(place, true);
        } catch (IOException e) {
            throw new BadConfiguration(place + " is not complete and cannot be removed: " + e.getMessage(), e);
        }
    }

    /** Lists of texts become one text each, as in the tables of {@code nescio score}. */
    private static Dataset<Row> flat(Dataset<Row> table) {
        Column[] columns = Arrays.stream(table.schema().fields())
                .map(field -> {
                    Column column = column(field.name());
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
