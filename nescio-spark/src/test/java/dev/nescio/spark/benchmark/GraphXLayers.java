// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.benchmark;

import java.io.Serializable;
import java.util.Arrays;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.EdgeContext;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.PartitionStrategy;
import org.apache.spark.graphx.TripletFields;
import org.apache.spark.graphx.VertexRDD;
import org.apache.spark.storage.StorageLevel;
import scala.Function1;
import scala.Function2;
import scala.Function3;
import scala.Option;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.BoxedUnit;

/** The same convolution by {@code aggregateMessages}; a vertex holds the root of its degree, then its row. */
final class GraphXLayers {

    private static final ClassTag<float[]> ROW = ClassTag$.MODULE$.apply(float[].class);
    private static final ClassTag<Byte> NOTHING = ClassTag$.MODULE$.apply(Byte.class);
    private static final StorageLevel KEPT = StorageLevel.MEMORY_AND_DISK();

    private GraphXLayers() {}

    private interface F1<A, B> extends Function1<A, B>, Serializable {}

    private interface F2<A, B, C> extends Function2<A, B, C>, Serializable {}

    private interface F3<A, B, C, D> extends Function3<A, B, C, D>, Serializable {}

    static void run(LayerBenchmark.Setting setting) {
        int width = setting.width();
        float[] weights = RandomGraph.weights(width);
        ShuffleMeter meter = setting.meter();
        meter.begin();
        Graph<float[], Byte> graph = sending(graph(setting), weights, width);
        graph.persist(KEPT);
        graph.vertices().count();
        graph.edges().count();
        meter.end("GraphX, graph");
        Graph<float[], Byte> before = graph;
        for (int layer = 1; layer <= setting.layers(); layer++) {
            meter.begin();
            Graph<float[], Byte> next = layer(graph, weights, width);
            next.persist(KEPT);
            next.vertices().count();
            meter.end("GraphX, layer " + layer);
            // The edges of a graph are needed once more, when rows of the next one are sent along them.
            graph.unpersistVertices(false);
            before.edges().unpersist(false);
            before = graph;
            graph = next;
        }
        before.edges().unpersist(false);
        graph.unpersist(false);
    }

    private static Graph<float[], Byte> graph(LayerBenchmark.Setting setting) {
        int width = setting.width();
        JavaRDD<Edge<Byte>> edges = setting.edges()
                .javaRDD()
                .map(row -> new Edge<>(row.getLong(0), row.getLong(1), (byte) 0))
                .distinct();
        JavaPairRDD<Object, float[]> nodes = setting.nodes().javaRDD().mapToPair(row -> {
            float[] values = new float[width + 1];
            scala.collection.Seq<Float> given = row.getSeq(1);
            for (int i = 0; i < width; i++) {
                values[i + 1] = given.apply(i);
            }
            return new Tuple2<>(row.getLong(0), values);
        });
        Graph<float[], Byte> graph = Graph.apply(nodes.rdd(), edges.rdd(), new float[0], KEPT, KEPT, ROW, NOTHING)
                .partitionBy(PartitionStrategy.EdgePartition2D$.MODULE$, setting.blocks());
        Graph<float[], Byte> scaled = graph.outerJoinVertices(
                graph.ops().inDegrees(),
                (F3<Object, float[], Option<Object>, float[]>) (id, row, degree) -> {
                    float[] with = row.clone();
                    with[0] = (float) (1 / Math.sqrt(1.0 + (degree.isDefined() ? (Integer) degree.get() : 0)));
                    return with;
                },
                ClassTag$.MODULE$.apply(Object.class),
                ROW,
                null);
        scaled.persist(KEPT);
        return scaled;
    }

    /** The product that neighbours hear, before the first layer. */
    private static Graph<float[], Byte> sending(Graph<float[], Byte> graph, float[] weights, int width) {
        return graph.mapVertices((F2<Object, float[], float[]>) (id, row) -> product(row, weights, width), ROW, null);
    }

    private static float[] product(float[] row, float[] weights, int width) {
        float[] result = new float[width + 1];
        result[0] = row[0];
        System.arraycopy(RandomGraph.product(row, 1, weights, width, row[0]), 0, result, 1, width);
        return result;
    }

    /** Sums what neighbours have sent and makes the product for the next layer at once, so that rows are sent once per layer. */
    private static Graph<float[], Byte> layer(Graph<float[], Byte> graph, float[] weights, int width) {
        VertexRDD<float[]> sums = graph.aggregateMessages(
                (F1<EdgeContext<float[], Byte, float[]>, BoxedUnit>) context -> {
                    context.sendToDst(context.srcAttr());
                    return BoxedUnit.UNIT;
                },
                (F2<float[], float[], float[]>) (one, other) -> {
                    float[] sum = Arrays.copyOf(one, one.length);
                    for (int i = 1; i < sum.length; i++) {
                        sum[i] += other[i];
                    }
                    return sum;
                },
                TripletFields.Src,
                ROW);
        return graph.outerJoinVertices(
                sums,
                (F3<Object, float[], Option<float[]>, float[]>) (id, row, sum) -> {
                    float[] result = row.clone();
                    for (int i = 1; i <= width; i++) {
                        result[i] = Math.max(0, row[0] * (row[i] + (sum.isDefined() ? sum.get()[i] : 0)));
                    }
                    return product(result, weights, width);
                },
                ROW,
                ROW,
                null);
    }
}
