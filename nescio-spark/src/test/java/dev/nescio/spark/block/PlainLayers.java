// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.model.layer.Held;
import dev.nescio.model.layer.Neighbourhood.Loops;
import dev.nescio.spark.broadcast.OneCore;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;

/** A convolution of one product and nothing besides, {@code relu(A X) W} on products {@code X W}, by the rounds that models use. */
public final class PlainLayers {

    private static final StorageLevel KEPT = StorageLevel.MEMORY_AND_DISK();

    private PlainLayers() {}

    /**
     * @param weights [width, width]
     * @param listener is told when a layer has been computed
     */
    public static void run(
            JavaRDD<NodeBlock> nodes, BlockPlans plans, float[] weights, int layers, ModelPass.Listener listener) {
        int width = (int) Math.sqrt(weights.length);
        JavaRDD<BlockState> states = kept(nodes.map(block -> OneCore.run(() -> input(block, weights, width))));
        listener.computed(0, layers, 0);
        for (int layer = 1; layer <= layers; layer++) {
            JavaRDD<BlockState> before = states;
            states = kept(BlockRounds.next(
                    plans,
                    before,
                    (now, messages, keeper) -> {
                        Tensor sums = messages.normalisedSum(Loops.WITH).apply(now.heard());
                        Tensor product = sums.relu().product(Tensor.of(weights, width, width));
                        return List.of(keeper.keep(Held.of(product))).iterator();
                    },
                    List.of(BlockState.NOTHING)));
            before.unpersist(false);
            listener.computed(layer, layers, 0);
        }
        states.unpersist(false);
    }

    private static BlockState input(NodeBlock block, float[] weights, int width) {
        Rows rows = new Rows(width, ((DenseMatrix) block.features()).values());
        return Scope.run(() -> new BlockState(
                Rows.of(rows.tensor().product(Tensor.of(weights, width, width))),
                new ArrayList<>(),
                new LinkedHashMap<>()));
    }

    private static JavaRDD<BlockState> kept(JavaRDD<BlockState> states) {
        JavaRDD<BlockState> kept = states.persist(KEPT);
        kept.count();
        return kept;
    }
}
