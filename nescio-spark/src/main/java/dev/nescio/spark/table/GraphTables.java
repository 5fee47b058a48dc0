// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.table;

import dev.nescio.graph.Graph;
import dev.nescio.graph.TableSchema;
import dev.nescio.io.graph.NodeRows;
import dev.nescio.io.graph.TableGraph;
import dev.nescio.io.graph.TableLayout;
import dev.nescio.io.table.TableProblem;
import dev.nescio.problem.BadInput;
import dev.nescio.spark.block.BlockPlans;
import dev.nescio.spark.block.IdOrder;
import dev.nescio.spark.block.Node;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
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
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.jspecify.annotations.Nullable;

/** Nodes and edges of Datasets, read row by row where they lie. */
public final class GraphTables {

    private static final int ROWS = 1 << 12;

    private GraphTables() {}

    /** Nodes with features as a schema makes them, or as they are where there is none. */
    public static JavaRDD<Node> nodes(
            Dataset<Row> table, TableColumns columns, @Nullable TableSchema known, int width) {
        if (known == null) {
            Dataset<Row> two = table.select(id(columns.id()), column(Objects.requireNonNull(columns.features())));
            StructType schema = two.schema();
            return two.javaRDD().mapPartitions(rows -> plain(new RowsReader("nodes", schema, rows), rows, width));
        }
        List<Column> chosen = new ArrayList<>(List.of(id(columns.id())));
        known.columns().forEach(column -> chosen.add(readable(table, column.name())));
        Dataset<Row> some = table.select(chosen.toArray(Column[]::new));
        StructType schema = some.schema();
        return some.javaRDD()
                .mapPartitions(rows -> flat(NodeRows.of(new RowsReader("nodes", schema, rows), known, ROWS)));
    }

    /** Names with dots and blanks are names, too. */
    public static Column column(String name) {
        return functions.col("`" + name.replace("`", "``") + "`");
    }

    /** An id as Spark writes it, so that it is the same text wherever ids are compared. */
    private static Column id(String name) {
        return column(name).cast(DataTypes.StringType).as(name);
    }

    /** Times as Spark writes them; Java would write them otherwise. */
    static Column readable(Dataset<Row> table, String name) {
        DataType type = table.schema().apply(name).dataType();
        boolean isTime = type instanceof TimestampType || type instanceof TimestampNTZType;
        return isTime ? id(name) : column(name);
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

    private static final List<String> PARTS = List.of("split", "train_mask", "val_mask", "test_mask");

    /**
     * The nodes that have a label, in the order of their ids, with labels and splits; brought to the driver.
     *
     * @param layout names the columns of ids and labels
     */
    public static Graph labelled(Dataset<Row> table, TableLayout layout) {
        String id = Objects.requireNonNull(layout.id());
        String label = Objects.requireNonNull(layout.label());
        List<Column> columns = new ArrayList<>(List.of(id(id), column(label)));
        for (String name : table.columns()) {
            if (!name.equals(id) && !name.equals(label) && (PARTS.contains(name) || name.equals(layout.split()))) {
                columns.add(column(name));
            }
        }
        Dataset<Row> some =
                table.select(columns.toArray(Column[]::new)).where(column(label).isNotNull());
        List<Row> rows = new ArrayList<>(some.collectAsList());
        rows.sort(Comparator.comparing(row -> String.valueOf(row.get(0)), IdOrder.BY_NUMBER));
        return TableGraph.nodesAlone("nodes", new RowsReader("nodes", some.schema(), rows.iterator()), layout);
    }

    /** The edges of which both ends are nodes. */
    public static Dataset<Row> known(Dataset<Row> edges, Dataset<Row> nodes, TableColumns columns) {
        Dataset<Row> ids = nodes.select(id(columns.id()).as("nescio_id"));
        Dataset<Row> ends = edges.select(id(columns.source()), id(columns.target()));
        return ends.join(ids, column(columns.source()).equalTo(ids.col("nescio_id")), "left_semi")
                .join(ids, column(columns.target()).equalTo(ids.col("nescio_id")), "left_semi");
    }

    /** The edges by the ids of their ends. */
    public static JavaRDD<BlockPlans.Edge> edges(Dataset<Row> table, TableColumns columns) {
        Dataset<Row> two = table.select(id(columns.source()), id(columns.target()));
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
