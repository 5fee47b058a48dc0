// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import dev.nescio.tensor.Adam;
import dev.nescio.tensor.Arena;
import dev.nescio.tensor.Gradients;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** A plain autoencoder on the rows of a matrix; a row is as anomalous as its squared reconstruction error. */
final class Autoencoder {

    private static final int WIDTH = 64;
    private static final int STEPS = 600;
    private static final int BATCH = 256;

    private Autoencoder() {}

    /** Larger is more anomalous. */
    static double[] scores(DenseMatrix x, int bottleneck, long seed) {
        int[] sizes = {x.columns(), WIDTH, Math.min(bottleneck, x.columns()), WIDTH, x.columns()};
        Rng rng = new Seed(seed).rng();
        double scale = 1 / Math.sqrt(meanSquare(x));
        try (Arena arena = new Arena()) {
            List<Tensor> parameters = parameters(sizes, rng, arena);
            try (Adam adam = new Adam(parameters.stream()
                    .map(parameter -> new Adam.Moved(parameter, 3e-3, 0))
                    .toList())) {
                for (int step = 0; step < STEPS; step++) {
                    int[] rows = new int[Math.min(BATCH, x.rows())];
                    for (int i = 0; i < rows.length; i++) {
                        rows[i] = rng.nextInt(x.rows());
                    }
                    Scope.run(() -> {
                        Tensor input = Tensor.of(x.select(rows)).times(scale);
                        Tensor error = output(input, parameters).minus(input);
                        error.squaredRowNorms().sum().times(1.0 / rows.length).backward();
                        adam.step();
                    });
                }
            }
            return Scope.run(() -> Gradients.off(() -> {
                Tensor input = Tensor.of(x).times(scale);
                return output(input, parameters).minus(input).squaredRowNorms().toDoubles();
            }));
        }
    }

    private static double meanSquare(DenseMatrix x) {
        double sum = 0;
        for (float value : x.values()) {
            sum += (double) value * value;
        }
        return Math.max(sum / x.values().length, 1e-12);
    }

    private static List<Tensor> parameters(int[] sizes, Rng rng, Arena arena) {
        List<Tensor> parameters = new ArrayList<>();
        Scope.run(() -> {
            for (int l = 0; l + 1 < sizes.length; l++) {
                float[] weights = new float[sizes[l] * sizes[l + 1]];
                for (int i = 0; i < weights.length; i++) {
                    weights[i] = (float) (rng.nextGaussian() / Math.sqrt(sizes[l]));
                }
                parameters.add(
                        arena.own(Tensor.of(weights, sizes[l], sizes[l + 1]).requireGradient()));
                parameters.add(arena.own(
                        Tensor.of(new float[sizes[l + 1]], sizes[l + 1]).requireGradient()));
            }
        });
        return parameters;
    }

    private static Tensor output(Tensor input, List<Tensor> parameters) {
        Tensor h = input;
        for (int l = 0; l < parameters.size(); l += 2) {
            Tensor next = h.product(parameters.get(l), parameters.get(l + 1));
            h = l + 2 < parameters.size() && l != 2 ? next.relu() : next;
        }
        return h;
    }
}
