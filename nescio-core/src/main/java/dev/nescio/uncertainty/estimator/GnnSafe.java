// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import dev.nescio.matrix.NdArray;
import dev.nescio.option.Options;
import dev.nescio.progress.Progress;
import dev.nescio.uncertainty.Estimator;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.FittedEstimator;
import dev.nescio.uncertainty.Need;
import java.util.Map;
import java.util.Set;

/**
 * GNNSafe (Wu et al. 2023): the logit energy, averaged with the neighbours' for two steps,
 * {@code E <- E / 2 + (mean of the neighbours' E) / 2}. No self-loops: the energy of a node without neighbours is halved in
 * each step, as in the published code. Suits homophilic graphs, where neighbours of the unknown are unknown.
 */
public final class GnnSafe implements Estimator, FittedEstimator {

    private static final double STAY = 0.5;
    private static final int STEPS = 2;

    @Override
    public About about() {
        return new About(
                "gnnsafe",
                "energy of the logits, averaged with the neighbours'; for homophilic graphs",
                "logits, graph",
                "Energy-based Out-of-Distribution Detection for Graph Neural Networks, ICLR 2023");
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.EDGES);
    }

    @Override
    public boolean learnsNothing() {
        return true;
    }

    @Override
    public FittedEstimator fit(Options options, Evidence evidence) {
        evidence.requireLogits(name());
        return this;
    }

    @Override
    public double[] score(Evidence evidence, Progress progress) {
        double[] energies = Energy.of(evidence.requireLogits(name()));
        double[][] columns = new double[energies.length][];
        for (int v = 0; v < energies.length; v++) {
            columns[v] = new double[] {energies[v]};
        }
        double[][] diffused =
                new Diffusion(evidence.requireGraph(name()).adjacency(), STAY, false).apply(columns, STEPS);
        for (int v = 0; v < energies.length; v++) {
            energies[v] = diffused[v][0];
        }
        return energies;
    }

    @Override
    public FittedEstimator load(Options options, Map<String, NdArray> state) {
        return this;
    }

    @Override
    public Map<String, NdArray> state() {
        return Map.of();
    }
}
