package dev.nescio.detector;

import dev.nescio.problem.BadConfiguration;

/**
 * How many opinions the sampling estimators ask for.
 *
 * @param passes with dropout
 * @param members networks of an ensemble
 */
public record SamplingOptions(int passes, int members) {

    public SamplingOptions {
        if (passes < 2 || members < 2) {
            throw new BadConfiguration(
                    "to disagree, passes and members must be at least 2, got " + passes + " and " + members);
        }
    }

    /** The paper's. */
    public static SamplingOptions defaults() {
        return new SamplingOptions(50, 10);
    }
}
