// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.table;

import dev.nescio.graph.TableSchema;
import dev.nescio.io.graph.NodeRows;
import dev.nescio.io.table.TableProblem;
import dev.nescio.problem.BadInput;
import dev.nescio.spark.block.BlockPlans;
import dev.nescio.spark.block.Node;
import dev.nescio.spark.broadcast.SharedDetector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** Nodes and edges of Datasets, read row by row where they lie. */
public final class GraphTables {

    private static final int ROWS = 1 << 12;

    private GraphTables() {}

    /** Nodes with features as a detector's schema makes them, or as they are where it has none. */
    public static JavaRDD<Node> nodes(Dataset<Row> table, TableColumns columns, SharedDetector detector, int width) {
        if (columns.features() != null) {
            Dataset<Row> two = table.select(column(columns.id()), column(columns.features()));
            StructType schema = two.schema();
            return two.javaRDD().mapPartitions(rows -> plain(new RowsReader("nodes", schema, rows), rows, width));
        }
        TableSchema known = Objects.requireNonNull(detector.get().schema());
        List<Column> chosen = new ArrayList<>(List.of(column(columns.id())));
        known.columns().forEach(column -> chosen.add(column(column.name())));
        Dataset<Row> some = table.select(chosen.toArray(Column[]::new));
        StructType schema = some.schema();
        return some.javaRDD()
                .mapPartitions(rows -> flat(NodeRows.of(
                        new RowsReader("nodes", schema, rows),
                        Objects.requireNonNull(detector.get().schema()),
                        ROWS)));
    }

    /** Names with dots and blanks are names, too. */
    private static Column column(String name) {
        return functions.col("`" + name.replace("`", "``") + "`");
    }

    private static Iterator<Node> flat(Iterator<NodeRows> batches) {
        return new Iterator<>() {
            private Iterator<Node> now = Collections.emptyIterator();

            @Override
            public boolean hasNext() {
                while (!now.hasNext() && batches.hasNext()) {
                    NodeRows batch = batches.next();
                    int width = batch.features().columns();
                    now = IntStream.range(0, batch.ids().size())
                            .mapToObj(i -> new Node(
                                    batch.ids().get(i), batch.features().values(), i * width, width))
                            .iterator();
                }
                return now.hasNext();
            }

            @Override
            public Node next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return now.next();
            }
        };
    }

    private static Iterator<Node> plain(RowsReader reader, Iterator<Row> rows, int width) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return rows.hasNext();
            }

            @Override
            public Node next() {
                reader.next();
                String id = reader.text(0);
                if (id == null) {
                    throw TableProblem.of(reader, 0, "is no id");
                }
                return new Node(id, floats(reader.value(1), id, width), 0, width);
            }
        };
    }

    private static float[] floats(@Nullable Object value, String id, int width) {
        double[] numbers = value instanceof Vector vector
                ? vector.toArray()
                : value instanceof scala.collection.Seq<?> parts
                        ? IntStream.range(0, parts.length())
                                .mapToDouble(i ->
                                        parts.apply(i) instanceof Number number ? number.doubleValue() : Double.NaN)
                                .toArray()
                        : new double[0];
        if (numbers.length != width) {
            throw new BadInput("nodes: node '" + id + "' has " + numbers.length
                    + " features, but the detector was trained on " + width);
        }
        float[] floats = new float[width];
        for (int i = 0; i < width; i++) {
            floats[i] = (float) numbers[i];
            if (!Float.isFinite(floats[i])) {
                throw new BadInput("nodes: feature " + i + " of node '" + id + "' is " + numbers[i]
                        + ", but features must be finite");
            }
        }
        return floats;
    }

    /** The edges by the ids of their ends. */
    public static JavaRDD<BlockPlans.Edge> edges(Dataset<Row> table, TableColumns columns) {
        Dataset<Row> two = table.select(column(columns.source()), column(columns.target()));
        StructType schema = two.schema();
        return two.javaRDD().mapPartitions(rows -> ends(new RowsReader("edges", schema, rows), rows));
    }

    private static Iterator<BlockPlans.Edge> ends(RowsReader reader, Iterator<Row> rows) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return rows.hasNext();
            }

            @Override
            public BlockPlans.Edge next() {
                reader.next();
                return new BlockPlans.Edge(reader.text(0), reader.text(1));
            }
        };
    }
}
