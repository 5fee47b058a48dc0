// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;

/** What Spark keeps while something is computed in several steps; whatever is left is forgotten at the end, also where a step fails. */
final class Kept implements AutoCloseable {

    private final List<JavaRDD<?>> all = new ArrayList<>();

    <T> JavaRDD<T> keep(JavaRDD<T> rdd) {
        JavaRDD<T> kept = rdd.persist(StorageLevel.MEMORY_AND_DISK());
        all.add(kept);
        return kept;
    }

    void forget(JavaRDD<?> rdd) {
        all.remove(rdd);
        rdd.unpersist(false);
    }

    /** From now on somebody else forgets it. */
    <T> JavaRDD<T> handOver(JavaRDD<T> rdd) {
        all.remove(rdd);
        return rdd;
    }

    @Override
    public void close() {
        all.forEach(rdd -> rdd.unpersist(false));
    }
}
