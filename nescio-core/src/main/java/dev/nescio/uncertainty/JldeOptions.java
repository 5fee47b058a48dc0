package dev.nescio.uncertainty;

import dev.nescio.problem.BadConfiguration;
import dev.nescio.uncertainty.density.Bandwidth;
import dev.nescio.uncertainty.density.Keep;
import dev.nescio.uncertainty.density.Scaling;
import java.util.List;
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
        boolean equalPriors) {

    /** How k distances d become one score. */
    public enum Reduction {
        /** {@code (mean d)^2}: the paper's appendix and the published code. */
        SQUARED_MEAN,
        /** {@code sum d^2}: the paper's Algorithm 1. */
        SUM_OF_SQUARES,
        /** {@code mean d}: ranks as the paper's equation (3). */
        MEAN
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
                false);
    }

    public JldeOptions withStates(Integer... newStates) {
        return new JldeOptions(
                List.of(newStates), k, keep, reduction, scaling, energyNormalised, separate, bandwidth, equalPriors);
    }

    public JldeOptions withK(int newK) {
        return new JldeOptions(
                states, newK, keep, reduction, scaling, energyNormalised, separate, bandwidth, equalPriors);
    }

    public JldeOptions withKeep(Keep newKeep) {
        return new JldeOptions(
                states, k, newKeep, reduction, scaling, energyNormalised, separate, bandwidth, equalPriors);
    }

    public JldeOptions withReduction(Reduction newReduction) {
        return new JldeOptions(
                states, k, keep, newReduction, scaling, energyNormalised, separate, bandwidth, equalPriors);
    }

    public JldeOptions withScaling(Scaling newScaling) {
        return new JldeOptions(
                states, k, keep, reduction, newScaling, energyNormalised, separate, bandwidth, equalPriors);
    }

    public JldeOptions withEnergyNormalised(boolean newEnergyNormalised) {
        return new JldeOptions(
                states, k, keep, reduction, scaling, newEnergyNormalised, separate, bandwidth, equalPriors);
    }

    public JldeOptions withSeparate(boolean newSeparate) {
        return new JldeOptions(
                states, k, keep, reduction, scaling, energyNormalised, newSeparate, bandwidth, equalPriors);
    }

    public JldeOptions withBandwidth(Bandwidth newBandwidth) {
        return new JldeOptions(
                states, k, keep, reduction, scaling, energyNormalised, separate, newBandwidth, equalPriors);
    }

    public JldeOptions withEqualPriors(boolean newEqualPriors) {
        return new JldeOptions(
                states, k, keep, reduction, scaling, energyNormalised, separate, bandwidth, newEqualPriors);
    }
}
