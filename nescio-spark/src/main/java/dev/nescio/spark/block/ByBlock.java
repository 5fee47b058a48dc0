// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import dev.nescio.problem.BadConfiguration;
import org.apache.spark.Partitioner;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** Records that are keyed by the number of a block lie in the partition of that number. */
public final class ByBlock extends Partitioner {

    private static final int MOST_BLOCKS = 100_000;

    private final int blocks;

    /** Refuses numbers of blocks that cannot be. */
    public ByBlock(int blocks) {
        if (blocks < 1 || blocks > MOST_BLOCKS) {
            throw new BadConfiguration(
                    "the number of blocks must lie between 1 and " + MOST_BLOCKS + ", got " + blocks);
        }
        this.blocks = blocks;
    }

    /**
     * So many blocks, or two per core of the cluster, those included that it may still ask for.
     *
     * @param wished 0 for two per core
     */
    public static ByBlock of(int wished, JavaSparkContext spark) {
        if (wished > 0) {
            return new ByBlock(wished);
        }
        SparkConf conf = spark.getConf();
        long later = conf.getBoolean("spark.dynamicAllocation.enabled", false)
                ? (long) conf.getInt("spark.dynamicAllocation.maxExecutors", 0) * conf.getInt("spark.executor.cores", 1)
                : 0;
        return new ByBlock((int) Math.min(MOST_BLOCKS, 2 * Math.max(later, spark.defaultParallelism())));
    }

    /** The block that a node belongs to, by its id alone: every machine knows it without asking. */
    public int of(String id) {
        return Math.floorMod(mixed(id.hashCode()), blocks);
    }

    /** The last step of MurmurHash3. Ids of one block must not be alike in the bits that tables of ids go by. */
    private static int mixed(int hash) {
        int h = (hash ^ (hash >>> 16)) * 0x85EBCA6B;
        h = (h ^ (h >>> 13)) * 0xC2B2AE35;
        return h ^ (h >>> 16);
    }

    @Override
    public int numPartitions() {
        return blocks;
    }

    @Override
    public int getPartition(Object key) {
        return (Integer) key;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ByBlock same && same.blocks == blocks;
    }

    @Override
    public int hashCode() {
        return blocks;
    }
}
