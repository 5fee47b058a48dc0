package dev.nescio.model;

import dev.nescio.problem.BadConfiguration;
import dev.nescio.random.Seed;

/**
 * How a network is trained: full batches, Adam with coupled weight decay, early stopping on validation accuracy.
 *
 * @param learningRate of Adam
 * @param weightDecay L2 term added to the gradient
 * @param epochs at most
 * @param patience epochs without a better one before training stops
 * @param seed of initialisation and dropout
 */
public record TrainingOptions(
        double learningRate, double weightDecay, int epochs, int patience, Stopping stopping, long seed) {

    /** By what the best epoch is told. */
    public enum Stopping {
        /** The highest accuracy of the validation nodes. */
        ACCURACY,
        /** Their lowest mean cross-entropy. */
        LOSS
    }

    public TrainingOptions {
        if (!(learningRate > 0) || !(weightDecay >= 0)) {
            throw new BadConfiguration("the learning rate must be positive and the weight decay not negative, got "
                    + learningRate + " and " + weightDecay);
        }
        if (epochs < 1 || patience < 1) {
            throw new BadConfiguration("epochs and patience must be at least 1, got " + epochs + " and " + patience);
        }
    }

    /** Stopping by accuracy. */
    public TrainingOptions(double learningRate, double weightDecay, int epochs, int patience, long seed) {
        this(learningRate, weightDecay, epochs, patience, Stopping.ACCURACY, seed);
    }

    /** The paper's patience of 200, and the setting that suits most graphs. */
    public static TrainingOptions defaults() {
        return new TrainingOptions(0.001, 1e-4, 10_000, 200, Stopping.ACCURACY, 0);
    }

    /** The same for network i of an ensemble; network 0 is the one that is trained without one. */
    public TrainingOptions member(int i) {
        return i == 0 ? this : withSeed(new Seed(seed).split("member").split(i).value());
    }

    public TrainingOptions withSeed(long newSeed) {
        return new TrainingOptions(learningRate, weightDecay, epochs, patience, stopping, newSeed);
    }
}
