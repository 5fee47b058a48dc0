// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model;

import dev.nescio.option.Kind;
import dev.nescio.option.Option;
import dev.nescio.option.OptionGroup;
import dev.nescio.option.Options;
import dev.nescio.random.Seed;
import java.util.List;

/** How a network is trained: full batches, Adam with coupled weight decay, early stopping on the validation nodes. */
public record TrainingOptions(Options values) {

    /** Learning rate of Adam, above 0; 0.001 by default. */
    public static final Option<Double> LEARNING_RATE = Option.of(
            "learning-rate", Kind.number("a number above 0", rate -> rate > 0), 0.001, "Learning rate of Adam.");
    /** Weight decay, an L2 term added to the gradient, at least 0; 1e-4 by default. */
    public static final Option<Double> WEIGHT_DECAY = Option.of(
            "weight-decay",
            Kind.number("a number of at least 0", decay -> decay >= 0),
            1e-4,
            "Weight decay: an L2 term added to the gradient.");
    /** Largest number of epochs, at least 1; 10,000 by default. */
    public static final Option<Integer> EPOCHS = Option.of("epochs", Kind.count(), 10_000, "Maximum number of epochs.");
    /** Number of epochs without improvement after which training stops, at least 1; 200 by default. */
    public static final Option<Integer> PATIENCE = Option.of(
            "patience", Kind.count(), 200, "Number of epochs without improvement after which training stops.");
    /** What early stopping watches on the validation nodes; {@link Stopping#ACCURACY} by default. */
    public static final Option<Stopping> STOPPING = Option.of(
            "stopping",
            Kind.constant(Stopping.class),
            Stopping.ACCURACY,
            "What early stopping watches on the validation nodes: accuracy or loss.");
    /** Training nodes of a batch, at least 0; 0, the default, takes all of them in one exact step. */
    public static final Option<Integer> BATCH_NODES = Option.of(
            "batch-nodes",
            new Kind<>("N", "a whole number of at least 0", TrainingOptions::atLeastZero, String::valueOf),
            0,
            "Train in batches of so many training nodes, for graphs whose steps do not fit into memory; 0 makes one exact step per"
                    + " epoch, to be preferred where it fits.");
    /** How many neighbours the nodes of a batch draw, hop by hop; none, the default, for all. */
    public static final Option<List<Integer>> NEIGHBOURS = Option.of(
            "neighbours",
            Kind.list(Kind.count()),
            List.of(),
            "With --batch-nodes: how many neighbours a node hears, drawn anew for every batch, hop by hop from its training nodes on;"
                    + " 10,10 is usual (default: all).");
    /** Seed of initialisation and dropout, any 64-bit number; 0 by default. */
    public static final Option<Long> SEED = Option.of("seed", Kind.whole(), 0L, "Random seed.");

    /** All options of the training. */
    public static final OptionGroup GROUP = OptionGroup.of(
            "the training", LEARNING_RATE, WEIGHT_DECAY, EPOCHS, PATIENCE, STOPPING, BATCH_NODES, NEIGHBOURS, SEED);

    private static Integer atLeastZero(String text) {
        int value = Integer.parseInt(text);
        if (value < 0) {
            throw new IllegalArgumentException(text);
        }
        return value;
    }

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

    /** Learning rate of Adam; see {@link #LEARNING_RATE}. */
    public double learningRate() {
        return values.get(LEARNING_RATE);
    }

    /** Weight decay; see {@link #WEIGHT_DECAY}. */
    public double weightDecay() {
        return values.get(WEIGHT_DECAY);
    }

    /** Largest number of epochs; see {@link #EPOCHS}. */
    public int epochs() {
        return values.get(EPOCHS);
    }

    /** Number of epochs without improvement after which training stops; see {@link #PATIENCE}. */
    public int patience() {
        return values.get(PATIENCE);
    }

    /** What early stopping watches; see {@link #STOPPING}. */
    public Stopping stopping() {
        return values.get(STOPPING);
    }

    /** Seed of initialisation and dropout; see {@link #SEED}. */
    public long seed() {
        return values.get(SEED);
    }

    /** Training nodes of a batch, 0 for all in one step; see {@link #BATCH_NODES}. */
    public int batchNodes() {
        return values.get(BATCH_NODES);
    }

    /** Neighbours that a node of a batch draws; see {@link #NEIGHBOURS}. */
    public List<Integer> neighbours() {
        return values.get(NEIGHBOURS);
    }

    /** The same with another value; refuses one outside its limits, and options of other groups. */
    public <T> TrainingOptions with(Option<T> option, T value) {
        return new TrainingOptions(values.with(option, value));
    }

    /** The same with another seed: another initialisation and other dropout. */
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
