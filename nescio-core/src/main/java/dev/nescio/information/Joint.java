// SPDX-License-Identifier: Apache-2.0
package dev.nescio.information;

import dev.nescio.problem.BadInput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A joint distribution of finitely many values: every outcome with its probability. Entropies are in bits.
 *
 * @param variables how many there are
 */
public record Joint(int variables, List<Outcome> outcomes) {

    private static final double TOLERANCE = 1e-9;

    /** What each variable is, and how likely that is. Values are equal or not, nothing more. */
    public record Outcome(double probability, List<Object> values) {}

    /** Refuses an outcome of another length, a negative probability, and probabilities that do not sum to 1 within 1e-9. */
    public Joint {
        outcomes = List.copyOf(outcomes);
        double total = 0;
        for (Outcome outcome : outcomes) {
            if (outcome.values.size() != variables) {
                throw new BadInput("an outcome has " + outcome.values.size() + " values, expected " + variables);
            }
            if (!(outcome.probability >= 0)) {
                throw new BadInput("a probability is " + outcome.probability + ", but must be at least 0");
            }
            total += outcome.probability;
        }
        if (!(Math.abs(total - 1) <= TOLERANCE)) {
            throw new BadInput("the probabilities sum to " + total + ", but must sum to 1");
        }
    }

    /** Of some of the variables together. */
    public double entropy(int... some) {
        Map<List<Object>, Double> marginal = new HashMap<>();
        for (Outcome outcome : outcomes) {
            List<Object> key = new ArrayList<>(some.length);
            for (int variable : some) {
                key.add(outcome.values.get(variable));
            }
            marginal.merge(key, outcome.probability, Double::sum);
        }
        double entropy = 0;
        for (double p : marginal.values()) {
            entropy -= p == 0 ? 0 : p * Math.log(p) / Math.log(2);
        }
        return entropy;
    }

    /** {@code I(A; B)}. */
    public double information(int[] a, int[] b) {
        return information(a, b, new int[0]);
    }

    /** {@code I(A; B | C) = H(A, C) + H(B, C) - H(A, B, C) - H(C)}. */
    public double information(int[] a, int[] b, int[] given) {
        return entropy(joined(a, given))
                + entropy(joined(b, given))
                - entropy(joined(joined(a, b), given))
                - entropy(given);
    }

    static int[] joined(int[] a, int[] b) {
        int[] all = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, all, a.length, b.length);
        return all;
    }
}
