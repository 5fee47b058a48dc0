package dev.nescio.uncertainty.estimator;

import dev.nescio.problem.BadConfiguration;
import dev.nescio.uncertainty.density.Bandwidth;
import dev.nescio.uncertainty.density.Keep;
import dev.nescio.uncertainty.density.Scaling;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The choices of the JLDE family: {@link Jlde}, {@link JldeKernels}, {@link JldeMixture}.
 *
 * @param states which hidden states, by number; negative numbers count from the end; empty = all
 * @param k how many nearest training nodes (nearest neighbours only)
 * @param keep principal components per state
 * @param reduction how k distances become one score (nearest neighbours only)
 * @param scaling of the reduced states
 * @param energyNormalised whether each distance is divided by {@code softplus(logsumexp(logits))} of its training node
 *     (nearest neighbours only)
 * @param separate whether each state is scored by itself and the scores are added, instead of joining the states
 * @param bandwidth of the kernels (kernels only)
 * @param equalPriors whether all classes weigh alike, rather than by their training nodes (mixture only)
 * @param features whether the features of the nodes are one more state
 * @param search how the nearest training nodes are found (nearest neighbours only)
 */
public record JldeOptions(
        List<Integer> states,
        int k,
        Keep keep,
        Reduction reduction,
        Scaling scaling,
        boolean energyNormalised,
        boolean separate,
        Bandwidth bandwidth,
        boolean equalPriors,
        boolean features,
        Search search) {

    /** How k distances d become one score. */
    public enum Reduction {
        /** {@code (mean d)^2}: the paper's appendix and the published code. */
        SQUARED_MEAN,
        /** {@code sum d^2}: the paper's Algorithm 1. */
        SUM_OF_SQUARES,
        /** {@code mean d}: ranks as the paper's equation (3). */
        MEAN
    }

    /** How nearest training nodes are found. */
    public enum Search {
        /** All of them are compared. */
        EXACT,
        /** A graph of neighbours is walked where there are enough training nodes for it to be worth while. */
        HNSW
    }

    public JldeOptions {
        states = List.copyOf(states);
        if (k < 1) {
            throw new BadConfiguration("k must be at least 1, got " + k);
        }
    }

    /** The chosen states as numbers from 0, for a network that has so many; refuses those that it does not have. */
    public List<Integer> statesOf(int count) {
        for (int state : states) {
            if (state < -count || state >= count) {
                throw new BadConfiguration("there is no state " + state + "; states go from 0 to " + (count - 1)
                        + ", or from -1 back to " + -count);
            }
        }
        return states.isEmpty()
                ? IntStream.range(0, count).boxed().toList()
                : states.stream().map(i -> Math.floorMod(i, count)).toList();
    }

    public static JldeOptions defaults() {
        return new JldeOptions(
                List.of(),
                5,
                new Keep.Share(0.95),
                Reduction.SQUARED_MEAN,
                Scaling.NONE,
                false,
                false,
                new Bandwidth.Median(),
                false,
                false,
                Search.EXACT);
    }

    public JldeOptions withStates(Integer... newStates) {
        return changed(c -> c.states = List.of(newStates));
    }

    public JldeOptions withK(int newK) {
        return changed(c -> c.k = newK);
    }

    public JldeOptions withKeep(Keep newKeep) {
        return changed(c -> c.keep = newKeep);
    }

    public JldeOptions withReduction(Reduction newReduction) {
        return changed(c -> c.reduction = newReduction);
    }

    public JldeOptions withScaling(Scaling newScaling) {
        return changed(c -> c.scaling = newScaling);
    }

    public JldeOptions withEnergyNormalised(boolean newEnergyNormalised) {
        return changed(c -> c.energyNormalised = newEnergyNormalised);
    }

    public JldeOptions withSeparate(boolean newSeparate) {
        return changed(c -> c.separate = newSeparate);
    }

    public JldeOptions withBandwidth(Bandwidth newBandwidth) {
        return changed(c -> c.bandwidth = newBandwidth);
    }

    public JldeOptions withEqualPriors(boolean newEqualPriors) {
        return changed(c -> c.equalPriors = newEqualPriors);
    }

    public JldeOptions withFeatures(boolean newFeatures) {
        return changed(c -> c.features = newFeatures);
    }

    public JldeOptions withSearch(Search newSearch) {
        return changed(c -> c.search = newSearch);
    }

    private JldeOptions changed(Consumer<Changes> change) {
        Changes c = new Changes(this);
        change.accept(c);
        return new JldeOptions(
                c.states,
                c.k,
                c.keep,
                c.reduction,
                c.scaling,
                c.energyNormalised,
                c.separate,
                c.bandwidth,
                c.equalPriors,
                c.features,
                c.search);
    }

    /** The same choices, to be changed. */
    private static final class Changes {

        private List<Integer> states;
        private int k;
        private Keep keep;
        private Reduction reduction;
        private Scaling scaling;
        private boolean energyNormalised;
        private boolean separate;
        private Bandwidth bandwidth;
        private boolean equalPriors;
        private boolean features;
        private Search search;

        Changes(JldeOptions old) {
            this.states = old.states;
            this.k = old.k;
            this.keep = old.keep;
            this.reduction = old.reduction;
            this.scaling = old.scaling;
            this.energyNormalised = old.energyNormalised;
            this.separate = old.separate;
            this.bandwidth = old.bandwidth;
            this.equalPriors = old.equalPriors;
            this.features = old.features;
            this.search = old.search;
        }
    }
}
