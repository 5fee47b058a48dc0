package dev.nescio.study;

import dev.nescio.problem.BadConfiguration;
import dev.nescio.uncertainty.estimator.Estimators;
import dev.nescio.uncertainty.estimator.JldeOptions;
import java.util.Arrays;

/**
 * An estimator, and for the JLDE family which hidden states it joins: {@code jlde}, {@code jlde@0} (one state),
 * {@code jlde@0,-1} (first and last), {@code jlde@sum} (the scores of single states added up).
 *
 * @param text as it is written
 * @param name in the registry
 */
public record EstimatorChoice(String text, String name, JldeOptions jlde) {

    private static final String SUM = "sum";

    public static EstimatorChoice parse(String text) {
        String[] parts = text.split("@", 2);
        Estimators.make(parts[0], JldeOptions.defaults());
        JldeOptions options = JldeOptions.defaults();
        if (parts.length == 2) {
            if (!parts[0].startsWith("jlde")) {
                throw new BadConfiguration("only the JLDE family lets choose states, got '" + text + "'");
            }
            options = parts[1].equals(SUM) ? options.withSeparate(true) : options.withStates(states(text, parts[1]));
        }
        return new EstimatorChoice(text, parts[0], options);
    }

    private static Integer[] states(String text, String list) {
        try {
            return Arrays.stream(list.split(",")).map(Integer::valueOf).toArray(Integer[]::new);
        } catch (NumberFormatException e) {
            throw new BadConfiguration(
                    "behind the @ of '" + text + "' stand numbers of states such as 0,-1 or the word sum", e);
        }
    }
}
