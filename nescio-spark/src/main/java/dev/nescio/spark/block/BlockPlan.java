// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import dev.nescio.model.layer.Neighbourhood;
import java.io.Serializable;
import java.util.List;

/**
 * What a block hears and what it sends, the same in every round. The rows that a block hears of are its own, then those of the other
 * blocks in the order of the blocks, each row once however many edges begin there.
 *
 * @param nodes of the block, all of which hear
 * @param pointers where the edges into each node begin, and behind the last one where they end
 * @param sources the row that every edge comes from
 * @param degrees how many neighbours the node of every row has
 * @param begins where the rows of each block begin, and behind the last one how many rows there are; those of this block are none
 * @param sends what other blocks want to hear, in the order of the blocks
 */
@DefaultSerializer(JavaSerializer.class)
record BlockPlan(int nodes, int[] pointers, int[] sources, int[] degrees, int[] begins, List<Send> sends)
        implements Serializable {

    /**
     * What a block wants to hear.
     *
     * @param block that wants it
     * @param rows of this block, ascending
     */
    @DefaultSerializer(JavaSerializer.class)
    record Send(int block, int[] rows) implements Serializable {}

    Neighbourhood neighbourhood() {
        return new Neighbourhood(nodes, pointers, sources, degrees);
    }

    /** Rows that its nodes hear, its own among them. */
    int rows() {
        return begins[begins.length - 1];
    }
}
