// SPDX-License-Identifier: Apache-2.0
package dev.nescio.surprise;

import dev.nescio.graph.NodeSet;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.model.layer.Linear;
import dev.nescio.model.layer.Weights;
import dev.nescio.random.Rng;
import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Gradients;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Whether a node belongs into some surroundings: {@code relu((own | surroundings) W + b) w + c}. */
final class SurroundingsNetwork {

    static final int FOLDS = 5;
    static final double RATE = 3e-3;
    private static final int WIDTH = 128;
    private static final int BLOCK = 4096;

    private final Linear first;
    private final Linear second;

    SurroundingsNetwork(Weights weights, int own, int around) {
        this.first = new Linear(weights, "first", own + around, WIDTH);
        this.second = new Linear(weights, "second", WIDTH, 1);
    }

    private Tensor logits(Tensor own, Tensor around, Dropout dropout) {
        return second.apply(dropout.apply(
                first.apply(List.of(own, around), Dropout.OFF, null).relu()));
    }

    /** Nodes in their own surroundings, and other nodes in the same. */
    static PairNetworks.Batches<SurroundingsNetwork> batches(DenseMatrix own, DenseMatrix around, NodeSet nodes) {
        int[] all = nodes.toArray();
        return (network, rng, dropout) -> {
            int[] there = draw(all, rng);
            Tensor surroundings = Tensor.of(around.select(there));
            return new PairNetworks.Batch(
                    network.logits(Tensor.of(own.select(there)), surroundings, dropout),
                    network.logits(Tensor.of(own.select(draw(all, rng))), surroundings, dropout));
        };
    }

    private static int[] draw(int[] all, Rng rng) {
        int[] drawn = new int[PairNetworks.BATCH];
        for (int i = 0; i < drawn.length; i++) {
            drawn[i] = all[rng.nextInt(all.length)];
        }
        return drawn;
    }

    /** How little some nodes fit their surroundings, into their places of the surprises. */
    static void surprise(
            Map<String, NdArray> parameters, DenseMatrix own, DenseMatrix around, int[] nodes, float[] surprises) {
        try (Weights weights = Weights.of(parameters)) {
            SurroundingsNetwork network = new SurroundingsNetwork(weights, own.columns(), around.columns());
            for (int from = 0; from < nodes.length; from += BLOCK) {
                int[] block = Arrays.copyOfRange(nodes, from, Math.min(nodes.length, from + BLOCK));
                float[] logits = Scope.run(() -> Gradients.off(
                        () -> network.logits(Tensor.of(own.select(block)), Tensor.of(around.select(block)), Dropout.OFF)
                                .toFloats()));
                for (int i = 0; i < block.length; i++) {
                    surprises[block[i]] = -logits[i];
                }
            }
        }
    }
}
