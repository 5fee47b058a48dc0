// SPDX-License-Identifier: Apache-2.0
package dev.nescio.surprise;

import dev.nescio.matrix.NdArray;
import dev.nescio.model.layer.Weights;
import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import dev.nescio.tensor.Adam;
import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Parallel;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Small networks that tell real pairs from shuffled ones, one per fold of the nodes: whether a node is surprising is asked of the
 * network that has not learned from it. The fold of a node comes from its id, so a node that is not there yet has one, too.
 *
 * @param folds parameters of each
 */
record PairNetworks(List<Map<String, NdArray>> folds) {

    private static final int STEPS = 200;
    private static final int WARM_UP = 40;
    private static final double DROPOUT = 0.3;
    static final int BATCH = 256;

    PairNetworks {
        folds = List.copyOf(folds);
    }

    /** The fold of a node. */
    static int fold(Seed seed, String id, int folds) {
        return (int) Math.floorMod(seed.split(id).value(), (long) folds);
    }

    /** Logits of a batch of real pairs and of a batch of shuffled ones. */
    record Batch(Tensor real, Tensor shuffled) {}

    /** Draws a batch for a network that is being trained. */
    interface Batches<N> {
        Batch draw(N network, Rng rng, Dropout dropout);
    }

    /**
     * Trains a network per fold, side by side.
     *
     * @param network makes one from parameters
     * @param batches per fold, of pairs that do not touch it
     */
    static <N> PairNetworks train(
            int folds, Seed seed, double rate, Function<Weights, N> network, Function<Integer, Batches<N>> batches) {
        List<Map<String, NdArray>> trained = new ArrayList<>();
        for (int k = 0; k < folds; k++) {
            trained.add(Map.of());
        }
        Parallel.sideBySide(folds, k -> {
            Map<String, NdArray> one = train(seed.split(k), rate, network, batches.apply(k));
            synchronized (trained) {
                trained.set(k, one);
            }
        });
        return new PairNetworks(trained);
    }

    private static <N> Map<String, NdArray> train(
            Seed seed, double rate, Function<Weights, N> maker, Batches<N> batches) {
        try (Weights weights = Weights.drawn(seed.split("initialisation"))) {
            N network = maker.apply(weights);
            Rng rng = seed.split("batches").rng();
            try (Adam adam = new Adam(weights.parameters().values().stream()
                    .map(parameter -> new Adam.Moved(parameter, rate, 0))
                    .toList())) {
                for (int step = 0; step < STEPS; step++) {
                    double share = Math.min((step + 1.0) / WARM_UP, (STEPS - step) / (double) (STEPS - WARM_UP));
                    Dropout dropout = new Dropout(DROPOUT, seed.split("dropout").split(step));
                    Scope.run(() -> {
                        Batch batch = batches.draw(network, rng, dropout);
                        Tensor loss = batch.real
                                .times(-1)
                                .softplus()
                                .sum()
                                .plus(batch.shuffled.softplus().sum())
                                .times(0.5 / BATCH);
                        loss.backward();
                        adam.step(share);
                    });
                }
            }
            return weights.snapshot();
        }
    }

    void save(String name, Map<String, NdArray> state) {
        for (int k = 0; k < folds.size(); k++) {
            String prefix = name + k + ".";
            folds.get(k).forEach((parameter, values) -> state.put(prefix + parameter, values));
        }
    }

    static PairNetworks load(String name, int folds, Map<String, NdArray> state) {
        List<Map<String, NdArray>> all = new ArrayList<>();
        for (int k = 0; k < folds; k++) {
            String prefix = name + k + ".";
            Map<String, NdArray> parameters = new LinkedHashMap<>();
            state.forEach((key, values) -> {
                if (key.startsWith(prefix)) {
                    parameters.put(key.substring(prefix.length()), values);
                }
            });
            all.add(parameters);
        }
        return new PairNetworks(all);
    }
}
