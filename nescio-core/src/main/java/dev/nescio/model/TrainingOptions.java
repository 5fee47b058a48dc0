// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model;

import dev.nescio.option.Kind;
import dev.nescio.option.Option;
import dev.nescio.option.OptionGroup;
import dev.nescio.option.Options;
import dev.nescio.random.Seed;

/** How a network is trained: full batches, Adam with coupled weight decay, early stopping on the validation nodes. */
public record TrainingOptions(Options values) {

    public static final Option<Double> LEARNING_RATE = Option.of(
            "learning-rate", Kind.number("a number above 0", rate -> rate > 0), 0.001, "Learning rate of Adam.");
    public static final Option<Double> WEIGHT_DECAY = Option.of(
            "weight-decay",
            Kind.number("a number of at least 0", decay -> decay >= 0),
            1e-4,
            "Weight decay: an L2 term added to the gradient.");
    public static final Option<Integer> EPOCHS = Option.of("epochs", Kind.count(), 10_000, "Maximum number of epochs.");
    public static final Option<Integer> PATIENCE = Option.of(
            "patience", Kind.count(), 200, "Number of epochs without improvement after which training stops.");
    public static final Option<Stopping> STOPPING = Option.of(
            "stopping",
            Kind.constant(Stopping.class),
            Stopping.ACCURACY,
            "What early stopping watches on the validation nodes: accuracy or loss.");
    public static final Option<Long> SEED = Option.of("seed", Kind.whole(), 0L, "Random seed.");

    public static final OptionGroup GROUP =
            OptionGroup.of("the training", LEARNING_RATE, WEIGHT_DECAY, EPOCHS, PATIENCE, STOPPING, SEED);

    /** By what the best epoch is told. */
    public enum Stopping {
        /** The highest accuracy on the validation nodes. */
        ACCURACY,
        /** The lowest mean cross-entropy on the validation nodes. */
        LOSS
    }

    /** The paper's patience of 200, and the setting that suits most graphs. */
    public static TrainingOptions defaults() {
        return new TrainingOptions(GROUP.defaults());
    }

    /** Stopping by accuracy. */
    public static TrainingOptions of(double learningRate, double weightDecay, int epochs, int patience, long seed) {
        return defaults()
                .with(LEARNING_RATE, learningRate)
                .with(WEIGHT_DECAY, weightDecay)
                .with(EPOCHS, epochs)
                .with(PATIENCE, patience)
                .withSeed(seed);
    }

    public double learningRate() {
        return values.get(LEARNING_RATE);
    }

    public double weightDecay() {
        return values.get(WEIGHT_DECAY);
    }

    public int epochs() {
        return values.get(EPOCHS);
    }

    public int patience() {
        return values.get(PATIENCE);
    }

    public Stopping stopping() {
        return values.get(STOPPING);
    }

    public long seed() {
        return values.get(SEED);
    }

    public <T> TrainingOptions with(Option<T> option, T value) {
        return new TrainingOptions(values.with(option, value));
    }

    public TrainingOptions withSeed(long seed) {
        return with(SEED, seed);
    }

    /** The same for network i of an ensemble; network 0 is the one that is trained without one. */
    public TrainingOptions member(int i) {
        return i == 0
                ? this
                : withSeed(new Seed(seed()).split("member").split(i).value());
    }
}
