// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model;

import dev.nescio.option.Kind;
import dev.nescio.option.Option;
import dev.nescio.option.OptionGroup;
import dev.nescio.option.Options;
import java.util.Map;

/**
 * The shape of a network: what all architectures let choose, and what only one of them does. An option of an architecture
 * that these values do not mention has its default.
 */
public record ModelOptions(Options values) {

    /** Width of the hidden states, from 1 to 65,536; 64 by default. */
    public static final Option<Integer> HIDDEN =
            Option.of("hidden", Kind.count(65_536), 64, "Width of the hidden states.");
    /** Number of message-passing layers, from 1 to 1000; 2 by default. */
    public static final Option<Integer> LAYERS =
            Option.of("layers", Kind.count(1000), 2, "Number of message-passing layers.");
    /**
     * Dropout rate in training and in random passes, from 0 to below 1; 0.5 by default. The command line takes 0.2 for graphs
     * with fewer than 32 features.
     */
    public static final Option<Double> DROPOUT = Option.of(
            "dropout",
            Kind.number("a number of at least 0 and below 1", p -> p >= 0 && p < 1),
            0.5,
            "Dropout rate during training; train and evaluate use 0.2 for graphs with fewer than 32 features.");
    /** Inner width of the feed-forward modules as a multiple of the hidden width, at least 1; 1 by default. */
    public static final Option<Integer> MULTIPLIER = Option.of(
            "multiplier",
            Kind.count(),
            1,
            "Inner width of the feed-forward modules, as a multiple of the hidden width.");

    /** What all architectures let choose. */
    public static final OptionGroup COMMON = OptionGroup.of("the model", HIDDEN, LAYERS, DROPOUT, MULTIPLIER);

    /** Width 64, 2 layers, dropout 0.5, multiplier 1. */
    public static ModelOptions defaults() {
        return new ModelOptions(COMMON.defaults());
    }

    /** The four common choices at once; refuses values outside their limits. */
    public static ModelOptions of(int hidden, int layers, double dropout, int multiplier) {
        return defaults()
                .with(HIDDEN, hidden)
                .with(LAYERS, layers)
                .with(DROPOUT, dropout)
                .with(MULTIPLIER, multiplier);
    }

    /** Width of the hidden states; see {@link #HIDDEN}. */
    public int hidden() {
        return get(HIDDEN);
    }

    /** Number of message-passing layers; see {@link #LAYERS}. */
    public int layers() {
        return get(LAYERS);
    }

    /** Dropout rate, from 0 to below 1; see {@link #DROPOUT}. */
    public double dropout() {
        return get(DROPOUT);
    }

    /** Inner width of the feed-forward modules, in hidden widths; see {@link #MULTIPLIER}. */
    public int multiplier() {
        return get(MULTIPLIER);
    }

    /** The value of any option; its default where these values do not mention it. */
    public <T> T get(Option<T> option) {
        return values.has(option) ? values.get(option) : option.standard();
    }

    /**
     * The same with another value; refuses one outside its limits. An option that only one architecture has is known after {@link
     * #in} alone.
     */
    public <T> ModelOptions with(Option<T> option, T value) {
        return new ModelOptions(values.with(option, value));
    }

    /** These choices for an architecture that lets others be made, too; refuses those that it does not have. */
    public ModelOptions in(OptionGroup group) {
        return in(group, Map.of());
    }

    /** The same with further choices by name. */
    public ModelOptions in(OptionGroup group, Map<String, String> choices) {
        Options inGroup = group.parse(values.chosen());
        for (Map.Entry<String, String> choice : choices.entrySet()) {
            inGroup = inGroup.withText(choice.getKey(), choice.getValue());
        }
        return new ModelOptions(inGroup);
    }
}
