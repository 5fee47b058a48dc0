package dev.nescio.model;

import dev.nescio.problem.BadConfiguration;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The shape of a network.
 *
 * @param hidden width of the hidden states
 * @param layers rounds of message passing
 * @param dropout share of entries dropped while training
 * @param multiplier inner width of the feed-forward modules, in hidden widths
 * @param choices what only some architectures let choose, by name; see {@link Choice}
 */
public record ModelOptions(int hidden, int layers, double dropout, int multiplier, Map<String, String> choices) {

    public ModelOptions {
        choices = Collections.unmodifiableMap(new TreeMap<>(choices));
        if (hidden < 1 || layers < 1 || multiplier < 1) {
            throw new BadConfiguration("hidden, layers and multiplier must be at least 1, got " + hidden + ", " + layers
                    + " and " + multiplier);
        }
        if (!(dropout >= 0 && dropout < 1)) {
            throw new BadConfiguration("dropout must be at least 0 and below 1, got " + dropout);
        }
    }

    public ModelOptions(int hidden, int layers, double dropout, int multiplier) {
        this(hidden, layers, dropout, multiplier, Map.of());
    }

    public static ModelOptions defaults() {
        return new ModelOptions(64, 2, 0.5, 1);
    }

    public ModelOptions withChoices(Map<String, String> newChoices) {
        return new ModelOptions(hidden, layers, dropout, multiplier, newChoices);
    }
}
