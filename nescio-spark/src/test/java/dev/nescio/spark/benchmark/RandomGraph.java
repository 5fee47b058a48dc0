// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.benchmark;

import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** A graph with a few large hubs, every edge in both directions. */
final class RandomGraph {

    private static final int WINDOW = 50;

    private RandomGraph() {}

    static Dataset<Row> edges(SparkSession spark, long nodes, long pairs, double near, int parts) {
        StructType columns = new StructType().add("source", DataTypes.LongType).add("target", DataTypes.LongType);
        return spark.range(0, pairs, 1, parts)
                .flatMap(
                        (FlatMapFunction<Long, Row>) number -> {
                            SplittableRandom random = new SplittableRandom(number * 0x9E3779B97F4A7C15L + 7);
                            long one = Math.floorMod(
                                    (long) (nodes * Math.pow(random.nextDouble(), 2)) * 2654435761L, nodes);
                            long other = random.nextDouble() < near
                                    ? Math.floorMod(one + random.nextInt(1, WINDOW), nodes)
                                    : random.nextLong(nodes);
                            return List.of(RowFactory.create(one, other), RowFactory.create(other, one))
                                    .iterator();
                        },
                        Encoders.row(columns));
    }

    static Dataset<Row> nodes(SparkSession spark, long nodes, int width, int parts) {
        StructType columns = new StructType()
                .add("id", DataTypes.LongType)
                .add("features", DataTypes.createArrayType(DataTypes.FloatType, false));
        return spark.range(0, nodes, 1, parts)
                .map(
                        (MapFunction<Long, Row>) id -> {
                            SplittableRandom random = new SplittableRandom(id * 31 + 1);
                            Float[] features = new Float[width];
                            for (int i = 0; i < width; i++) {
                                features[i] = (float) (2 * random.nextDouble() - 1);
                            }
                            return RowFactory.create(id, features);
                        },
                        Encoders.row(columns));
    }

    static float[] weights(int width) {
        SplittableRandom random = new SplittableRandom(1);
        float[] weights = new float[width * width];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = (float) ((2 * random.nextDouble() - 1) / Math.sqrt(width));
        }
        return weights;
    }

    /** {@code factor * (row W)}. */
    static float[] product(float[] row, int from, float[] weights, int width, float factor) {
        float[] result = new float[width];
        for (int i = 0; i < width; i++) {
            float value = factor * row[from + i];
            for (int j = 0; j < width; j++) {
                result[j] += value * weights[i * width + j];
            }
        }
        return result;
    }
}
