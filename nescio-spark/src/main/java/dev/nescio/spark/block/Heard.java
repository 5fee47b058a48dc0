// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import dev.nescio.graph.Adjacency;
import dev.nescio.problem.BadInput;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import scala.Tuple2;

/**
 * The edges into a block, before the other blocks have been asked for anything.
 *
 * @param pointers where the edges into each node begin, and behind the last one where they end
 * @param sources the row that every edge comes from, as in {@link BlockPlan}; those into a node in the order of their ids
 * @param begins where the rows of each block begin, and behind the last one how many rows there are
 * @param wanted ids of nodes of other blocks, in their order, by block
 */
@DefaultSerializer(JavaSerializer.class)
record Heard(int[] pointers, int[] sources, int[] begins, TreeMap<Integer, String[]> wanted) implements Serializable {

    int nodes() {
        return pointers.length - 1;
    }

    int degree(int row) {
        return pointers[row + 1] - pointers[row];
    }

    /**
     * Loops are dropped and repeats counted once.
     *
     * @param chunks pairs of ids: the node that hears, and the one that is heard
     */
    static Heard of(int block, NodeBlock nodes, Iterator<Tuple2<Integer, byte[]>> chunks, ByBlock by) {
        Collector collector = new Collector(block, nodes, by);
        while (chunks.hasNext()) {
            ChunkReader chunk = new ChunkReader(chunks.next()._2);
            while (chunk.hasMore()) {
                collector.add(chunk.text(), chunk.text());
            }
        }
        return collector.finish();
    }

    static int row(String id, Ids known) {
        int row = known.number(id);
        if (row < 0) {
            throw new BadInput("edges: '" + id + "' is not the id of a node; --drop-dangling leaves such edges out");
        }
        return row;
    }

    /** Rows of other blocks get numbers as they come, and their places once all have come. */
    private static final class Collector {

        private static final Ids NONE = new Ids();

        private final int block;
        private final NodeBlock nodes;
        private final ByBlock by;
        private final Ids own;
        private final List<Ids> others = new ArrayList<>();
        private int[] targets = new int[1 << 10];
        private int[] blocks = new int[1 << 10];
        private int[] numbers = new int[1 << 10];
        private int count;

        Collector(int block, NodeBlock nodes, ByBlock by) {
            this.block = block;
            this.nodes = nodes;
            this.by = by;
            this.own = nodes.rows();
            for (int b = 0; b < by.numPartitions(); b++) {
                others.add(new Ids());
            }
        }

        void add(String target, String source) {
            if (count == targets.length) {
                int larger = (int) Math.min(Integer.MAX_VALUE - 8L, 2L * count);
                targets = Arrays.copyOf(targets, larger);
                blocks = Arrays.copyOf(blocks, larger);
                numbers = Arrays.copyOf(numbers, larger);
            }
            targets[count] = row(target, own);
            int from = by.of(source);
            blocks[count] = from;
            numbers[count++] =
                    from == block ? row(source, own) : others.get(from).add(source);
        }

        Heard finish() {
            TreeMap<Integer, String[]> wanted = new TreeMap<>();
            int[] begins = new int[others.size() + 1];
            int[][] places = new int[others.size()][];
            List<String> all = new ArrayList<>(nodes.ids());
            begins[0] = nodes.nodes();
            for (int b = 0; b < others.size(); b++) {
                Ids known = others.set(b, NONE);
                String[] ids = known.all();
                Arrays.sort(ids, IdOrder.BY_NUMBER);
                int[] place = new int[ids.length];
                for (int i = 0; i < ids.length; i++) {
                    place[known.number(ids[i])] = begins[b] + i;
                }
                places[b] = place;
                begins[b + 1] = Math.addExact(begins[b], ids.length);
                if (ids.length > 0) {
                    wanted.put(b, ids);
                    Collections.addAll(all, ids);
                }
            }
            for (int e = 0; e < count; e++) {
                numbers[e] = blocks[e] == block ? numbers[e] : places[blocks[e]][numbers[e]];
            }
            return heard(ByRank.of(all.toArray(String[]::new)), begins, wanted);
        }

        /** The rows that a node hears are in the order of their ids, whatever block they come from. */
        private Heard heard(ByRank rank, int[] begins, Map<Integer, String[]> wanted) {
            Adjacency edges = Adjacency.directed(rank.rows(), rank.ranks(numbers, count), rank.ranks(targets, count))
                    .adjacency();
            int[] pointers = new int[nodes.nodes() + 1];
            int[] sources = new int[edges.edges()];
            for (int v = 0; v < nodes.nodes(); v++) {
                int begin = edges.pointers()[rank.of(v)];
                int degree = edges.degree(rank.of(v));
                pointers[v + 1] = pointers[v] + degree;
                for (int e = 0; e < degree; e++) {
                    sources[pointers[v] + e] = rank.row(edges.neighbours()[begin + e]);
                }
            }
            return new Heard(pointers, sources, begins, new TreeMap<>(wanted));
        }
    }
}
