// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.benchmark;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.udaf;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoder;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.expressions.Aggregator;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.StorageLevel;

/** The same convolution by joining edges with rows and summing rows per target. */
final class DatasetLayers {

    private static final StructType ROW = new StructType()
            .add("id", DataTypes.LongType, false)
            .add("root", DataTypes.FloatType, false)
            .add("row", DataTypes.BinaryType, false);

    private DatasetLayers() {}

    /** Adds rows up. */
    public static final class Sum extends Aggregator<byte[], byte[], byte[]> {

        private final int width;

        public Sum(int width) {
            this.width = width;
        }

        @Override
        public byte[] zero() {
            return new byte[Float.BYTES * width];
        }

        @Override
        public byte[] reduce(byte[] sum, byte[] row) {
            FloatBuffer to = ByteBuffer.wrap(sum).asFloatBuffer();
            FloatBuffer from = ByteBuffer.wrap(row).asFloatBuffer();
            for (int i = 0; i < width; i++) {
                to.put(i, to.get(i) + from.get(i));
            }
            return sum;
        }

        @Override
        public byte[] merge(byte[] one, byte[] other) {
            return reduce(one, other);
        }

        @Override
        public byte[] finish(byte[] sum) {
            return sum;
        }

        @Override
        public Encoder<byte[]> bufferEncoder() {
            return Encoders.BINARY();
        }

        @Override
        public Encoder<byte[]> outputEncoder() {
            return Encoders.BINARY();
        }
    }

    static void run(LayerBenchmark.Setting setting) {
        int width = setting.width();
        float[] weights = RandomGraph.weights(width);
        ShuffleMeter meter = setting.meter();
        meter.begin();
        Dataset<Row> edges = setting.edges().distinct().persist(StorageLevel.MEMORY_AND_DISK());
        Dataset<Row> rows = kept(start(setting, edges));
        meter.end("Datasets, graph");
        for (int layer = 1; layer <= setting.layers(); layer++) {
            meter.begin();
            Dataset<Row> before = rows;
            rows = kept(layer(edges, before, weights, width));
            before.unpersist(false);
            meter.end("Datasets, layer " + layer);
        }
    }

    private static Dataset<Row> kept(Dataset<Row> rows) {
        Dataset<Row> kept = rows.persist(StorageLevel.MEMORY_AND_DISK());
        kept.count();
        return kept;
    }

    private static Dataset<Row> start(LayerBenchmark.Setting setting, Dataset<Row> edges) {
        Dataset<Row> degrees = edges.groupBy("target").count();
        return setting.nodes()
                .join(degrees, col("id").equalTo(col("target")), "left")
                .select(col("id"), coalesce(col("count"), lit(0L)), col("features"))
                .map(
                        (MapFunction<Row, Row>) row -> {
                            scala.collection.Seq<Float> given = row.getSeq(2);
                            float[] values = new float[given.length()];
                            for (int i = 0; i < values.length; i++) {
                                values[i] = given.apply(i);
                            }
                            return RowFactory.create(
                                    row.getLong(0), (float) (1 / Math.sqrt(1.0 + row.getLong(1))), bytes(values));
                        },
                        Encoders.row(ROW));
    }

    private static Dataset<Row> layer(Dataset<Row> edges, Dataset<Row> rows, float[] weights, int width) {
        Dataset<Row> sent = rows.map(
                (MapFunction<Row, Row>) row -> RowFactory.create(
                        row.getLong(0),
                        row.getFloat(1),
                        bytes(RandomGraph.product(floats(row.getAs(2), width), 0, weights, width, row.getFloat(1)))),
                Encoders.row(ROW));
        Dataset<Row> sums = edges.join(sent, edges.col("source").equalTo(sent.col("id")))
                .groupBy("target")
                .agg(udaf(new Sum(width), Encoders.BINARY()).apply(col("row")).as("sum"));
        return sent.join(sums, sent.col("id").equalTo(sums.col("target")), "left")
                .select(col("id"), col("root"), col("row"), col("sum"))
                .map(
                        (MapFunction<Row, Row>) row -> {
                            float[] own = floats(row.getAs(2), width);
                            float[] sum = row.isNullAt(3) ? new float[width] : floats(row.getAs(3), width);
                            for (int i = 0; i < width; i++) {
                                own[i] = Math.max(0, row.getFloat(1) * (own[i] + sum[i]));
                            }
                            return RowFactory.create(row.getLong(0), row.getFloat(1), bytes(own));
                        },
                        Encoders.row(ROW));
    }

    private static byte[] bytes(float[] values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Float.BYTES);
        bytes.asFloatBuffer().put(values);
        return bytes.array();
    }

    private static float[] floats(byte[] bytes, int width) {
        float[] values = new float[width];
        ByteBuffer.wrap(bytes).asFloatBuffer().get(values);
        return values;
    }
}
