// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.spark.LocalSpark;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.shuffle.sort.SerializedShuffleHandle;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExchangeTest {

    private static final int COLUMNS = 70;
    private static final int ROWS = 3000;

    /** The values of a row say which one it is. */
    private static Rows rows(int block) {
        float[] values = new float[ROWS * COLUMNS];
        for (int i = 0; i < values.length; i++) {
            values[i] = 1e6f * block + i / COLUMNS + (float) (i % COLUMNS) / COLUMNS;
        }
        return new Rows(COLUMNS, values);
    }

    /** Block i sends every row that i + 2 divides, backwards, to the block before it. */
    private static BlockPlan plan(int block, int blocks) {
        int[] sent = IntStream.range(0, ROWS)
                .map(row -> ROWS - 1 - row)
                .filter(row -> row % (block + 2) == 0)
                .toArray();
        BlockPlan.Send send = new BlockPlan.Send((block + blocks - 1) % blocks, sent);
        return new BlockPlan(ROWS, new int[ROWS + 1], new int[0], new int[ROWS], new int[blocks + 1], List.of(send));
    }

    private static JavaPairRDD<Integer, Message.Outgoing> sent(SparkSession spark, int blocks) {
        return JavaSparkContext.fromSparkContext(spark.sparkContext())
                .parallelize(IntStream.range(0, blocks).boxed().toList(), blocks)
                .mapPartitionsToPair(one -> {
                    int block = one.next();
                    return Message.of(block, plan(block, blocks), rows(block));
                });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 210})
    void rowsArriveWhereTheyBelong(int blocks) throws Exception {
        try (SparkSession spark = LocalSpark.start()) {
            JavaRDD<Message> arrived = Exchange.of(sent(spark, blocks), blocks);
            assertThat(arrived.getNumPartitions()).isEqualTo(blocks);
            List<Integer> wrong = arrived.mapPartitionsWithIndex((block, all) -> wrong(block, blocks, all), true)
                    .collect();
            assertThat(wrong).hasSize(blocks).containsOnly(0);
        }
    }

    /** How many numbers did not arrive as they were sent. */
    private static Iterator<Integer> wrong(int block, int blocks, Iterator<Message> all) {
        int sender = (block + 1) % blocks;
        int[] expected = plan(sender, blocks).sends().get(0).rows();
        float[] values = rows(sender).values();
        boolean[] seen = new boolean[expected.length * COLUMNS];
        int wrong = 0;
        while (all.hasNext()) {
            Message message = all.next();
            ByteBuffer bytes = ByteBuffer.wrap(message.values()).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; bytes.hasRemaining(); i++) {
                int place = message.first() * COLUMNS + i;
                float value = values[expected[place / COLUMNS] * COLUMNS + i % COLUMNS];
                wrong += message.block() == sender && !seen[place] && bytes.getFloat() == value ? 0 : 1;
                seen[place] = true;
            }
        }
        for (boolean one : seen) {
            wrong += one ? 0 : 1;
        }
        return List.of(wrong).iterator();
    }

    /** Spark sorts bytes and writes them once, however few blocks there are and whatever serializer a user has chosen. */
    @Test
    void isAShuffleOfBytes() throws Exception {
        for (String few : List.of("200", "7", "0")) {
            try (SparkSession spark = LocalSpark.start("spark.shuffle.sort.bypassMergeThreshold", few)) {
                List<ShuffleDependency<?, ?, ?>> shuffles =
                        shuffles(Exchange.of(sent(spark, 4), 4).rdd());
                assertThat(shuffles).hasSize(1);
                assertThat(shuffles.get(0).shuffleHandle()).isInstanceOf(SerializedShuffleHandle.class);
            }
        }
    }

    private static List<ShuffleDependency<?, ?, ?>> shuffles(RDD<?> rdd) {
        List<ShuffleDependency<?, ?, ?>> found = new ArrayList<>();
        scala.jdk.javaapi.CollectionConverters.asJava(rdd.dependencies()).forEach(dependency -> {
            if (dependency instanceof ShuffleDependency<?, ?, ?> shuffle) {
                found.add(shuffle);
            } else {
                found.addAll(shuffles(dependency.rdd()));
            }
        });
        return found;
    }
}
