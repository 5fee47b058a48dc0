// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import dev.nescio.graph.Preprocessing;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.matrix.SparseMatrix;
import dev.nescio.model.layer.Held;
import dev.nescio.model.network.Fsgnn;
import dev.nescio.tensor.Tensor;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.broadcast.Broadcast;

/**
 * What {@code fsgnn} learns from: features summed over 1, 2, ... rounds of neighbours, with self-loops and without. All nodes take part,
 * with one shuffle per round; rows of some of them are kept.
 */
public final class HopPass {

    private final JavaRDD<NodeBlock> nodes;
    private final BlockPlans plans;
    private final HashMap<String, String> preprocessing;

    /** @param nodes in blocks, which should be kept by the caller */
    public HopPass(JavaRDD<NodeBlock> nodes, BlockPlans plans, Preprocessing preprocessing) {
        this.nodes = nodes;
        this.plans = plans;
        this.preprocessing = new HashMap<>(preprocessing.values().texts());
    }

    /**
     * All that is wanted of a node.
     *
     * @param place that was given for it
     * @param degree its number of neighbours
     * @param values of all hops, as {@link Fsgnn#onHops} sees them
     */
    @DefaultSerializer(JavaSerializer.class)
    public record Row(int place, int degree, float[] values) implements Serializable {}

    /**
     * Runs all rounds, and keeps nothing afterwards.
     *
     * @param places of the nodes that are wanted, by their ids
     * @param found takes one row for each of them, in no particular order, on the driver
     */
    public void run(
            int rounds,
            Broadcast<Map<String, Integer>> places,
            ModelPass.Listener listener,
            Consumer<Iterator<Row>> found) {
        try (Kept kept = new Kept()) {
            JavaRDD<BlockState> states = kept.keep(input());
            JavaRDD<Chosen> chosen = kept.keep(with(
                    nodes.zipPartitions(plans.plans(), (block, plan) -> List.of(
                                    Chosen.of(block.next(), plan.next(), places.value()))
                            .iterator()),
                    states));
            compute(chosen, 0, rounds, listener);
            for (int round = 1; round <= rounds; round++) {
                JavaRDD<BlockState> before = states;
                JavaRDD<Chosen> soFar = chosen;
                states = kept.keep(next(before, round));
                chosen = kept.keep(with(soFar, states));
                compute(chosen, round, rounds, listener);
                kept.forget(before);
                kept.forget(soFar);
            }
            kept.forget(states);
            found.accept(chosen.flatMap(Chosen::rows).toLocalIterator());
        }
    }

    private JavaRDD<BlockState> input() {
        Map<String, String> texts = preprocessing;
        return nodes.map(block -> {
            Matrix features = new Preprocessing(Preprocessing.GROUP.parse(texts)).apply(block.features());
            Rows.size(features.rows(), features.columns());
            float[] values =
                    (features instanceof SparseMatrix sparse ? sparse.toDense() : (DenseMatrix) features).values();
            return new BlockState(new Rows(features.columns(), values), new ArrayList<>(), new LinkedHashMap<>());
        });
    }

    private JavaRDD<BlockState> next(JavaRDD<BlockState> states, int round) {
        return BlockRounds.next(
                plans,
                states,
                (now, messages, keeper) -> {
                    Tensor next = Fsgnn.nextHop(round, now.heard(), messages);
                    return List.of(keeper.keep(Held.of(next))).iterator();
                },
                List.of(BlockState.NOTHING));
    }

    private static JavaRDD<Chosen> with(JavaRDD<Chosen> soFar, JavaRDD<BlockState> states) {
        return soFar.zipPartitions(
                states,
                (some, state) -> List.of(some.next().with(state.next().heard())).iterator());
    }

    private static void compute(JavaRDD<Chosen> chosen, int round, int rounds, ModelPass.Listener listener) {
        long begin = System.nanoTime();
        chosen.count();
        listener.computed(round, rounds, (System.nanoTime() - begin) / 1e9);
    }

    /**
     * The nodes of a block that are wanted.
     *
     * @param nodes their rows in the block
     * @param hops the features, then with self-loops and without side by side, round by round
     */
    @DefaultSerializer(JavaSerializer.class)
    private record Chosen(int[] nodes, int[] places, int[] degrees, ArrayList<Rows> hops) implements Serializable {

        static Chosen of(NodeBlock block, BlockPlan plan, Map<String, Integer> places) {
            BlockRounds.requireSame(plan.nodes(), block.nodes());
            List<String> ids = block.ids();
            int[] wanted = IntStream.range(0, ids.size())
                    .filter(i -> places.containsKey(ids.get(i)))
                    .toArray();
            return new Chosen(
                    wanted,
                    IntStream.of(wanted)
                            .map(i -> places.getOrDefault(ids.get(i), -1))
                            .toArray(),
                    IntStream.of(wanted)
                            .map(i -> plan.pointers()[i + 1] - plan.pointers()[i])
                            .toArray(),
                    new ArrayList<>());
        }

        Chosen with(Rows heard) {
            ArrayList<Rows> more = new ArrayList<>(hops);
            more.add(heard.of(nodes));
            return new Chosen(nodes, places, degrees, more);
        }

        Iterator<Row> rows() {
            return IntStream.range(0, nodes.length)
                    .mapToObj(i -> new Row(places[i], degrees[i], values(i)))
                    .iterator();
        }

        private float[] values(int row) {
            int width = hops.get(0).columns();
            int rounds = hops.size() - 1;
            float[] values = new float[(2 * rounds + 1) * width];
            System.arraycopy(hops.get(0).values(), row * width, values, 0, width);
            for (int round = 1; round <= rounds; round++) {
                float[] both = hops.get(round).values();
                System.arraycopy(both, 2 * row * width, values, round * width, width);
                System.arraycopy(both, (2 * row + 1) * width, values, (rounds + round) * width, width);
            }
            return values;
        }
    }
}
