// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.PartitionPruningRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.rdd.ShuffledRDD;
import scala.Function1;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * The shuffle of a round, in which every byte is written once. Spark writes a file per target and joins them afterwards where a shuffle has
 * few targets, which is twice the work. So it is told of more targets than that; those between the blocks get nothing and are not read.
 */
final class Exchange {

    private static final String FEW_TARGETS = "spark.shuffle.sort.bypassMergeThreshold";
    private static final int USUALLY_FEW = 200;

    private Exchange() {}

    /** Brings messages to their blocks: partition i has what has arrived for block i. */
    static JavaRDD<Message> of(JavaPairRDD<Integer, Message.Outgoing> sent, int blocks) {
        int few = sent.context().getConf().getInt(FEW_TARGETS, USUALLY_FEW);
        Spread targets = new Spread(blocks, 1 + Math.max(0, few) / blocks);
        RDD<Tuple2<Integer, Message>> arrived = new ShuffledRDD<>(
                        sent.rdd(), targets, tag(Integer.class), tag(Message.Outgoing.class), tag(Message.class))
                .setSerializer(new MessageSerializer());
        return PartitionPruningRDD.create(arrived, targets.used()).toJavaRDD().map(Tuple2::_2);
    }

    private static <T> ClassTag<T> tag(Class<T> type) {
        return ClassTag$.MODULE$.apply(type);
    }

    /** Block i is target i times the distance. */
    private static final class Spread extends Partitioner {

        private final int blocks;
        private final int distance;

        Spread(int blocks, int distance) {
            this.blocks = blocks;
            this.distance = distance;
        }

        /** The targets that are blocks. */
        Function1<Object, Object> used() {
            int every = distance;
            return (Function1<Object, Object> & java.io.Serializable) target -> (Integer) target % every == 0;
        }

        @Override
        public int numPartitions() {
            return blocks * distance;
        }

        @Override
        public int getPartition(Object block) {
            return (Integer) block * distance;
        }
    }
}
