// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty;

import dev.nescio.matrix.NdArray;
import dev.nescio.option.Option;
import dev.nescio.option.Options;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * An estimator with its options, written {@code jlde:k=10,states=0|-1} everywhere: on the command line, in studies and in saved
 * detectors.
 */
public record EstimatorSpec(Estimator estimator, Options options) {

    /** The name of the estimator, without its options. */
    public String name() {
        return estimator.name();
    }

    /** The same with another value of one option; refuses a value outside its limits and options that the estimator lacks. */
    public <T> EstimatorSpec with(Option<T> option, T value) {
        return new EstimatorSpec(estimator, options.with(option, value));
    }

    /**
     * Fits the estimator with these options; refuses evidence that lacks what it needs.
     *
     * <pre>{@code
     * FittedEstimator jlde = Estimators.parse("jlde:k=10").fit(evidence);
     * double[] scores = jlde.score(evidence);
     * }</pre>
     */
    public FittedEstimator fit(Evidence evidence) {
        return estimator.fit(options, evidence);
    }

    /** Makes the fitted estimator again from what {@link FittedEstimator#state} returned. */
    public FittedEstimator load(Map<String, NdArray> state) {
        return estimator.load(options, state);
    }

    /** Refuses to be fitted where something that it needs will not be there. */
    public void require(Estimator.Available available) {
        estimator.require(options, available);
    }

    /** Whether the estimator must be shown this besides one forward pass. */
    public boolean needs(Need need) {
        return estimator.needs().contains(need);
    }

    /** Whether it has an option of this name, a flag, that is on. */
    public boolean isOn(String flag) {
        return "true".equals(options.texts().get(flag));
    }

    /** The name and what differs from the defaults. */
    public String text() {
        return text(options.chosen());
    }

    /** The same for files: what differs from the defaults that options had at first. */
    public String stored() {
        return text(options.stored());
    }

    private String text(Map<String, String> values) {
        return values.isEmpty()
                ? name()
                : name()
                        + values.entrySet().stream()
                                .map(value -> value.getKey() + "=" + value.getValue())
                                .collect(Collectors.joining(",", ":", ""));
    }

    /** What tables call it among others: its name, or its whole text where another one has that name. */
    public String label(List<EstimatorSpec> all) {
        return all.stream().filter(spec -> spec.name().equals(name())).count() == 1 ? name() : text();
    }

    @Override
    public String toString() {
        return text();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EstimatorSpec spec && spec.name().equals(name()) && spec.options.equals(options);
    }

    @Override
    public int hashCode() {
        return 31 * name().hashCode() + options.hashCode();
    }
}
