// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.flag;

import dev.nescio.detector.DetectorOptions;
import dev.nescio.uncertainty.EstimatorSpec;
import dev.nescio.uncertainty.estimator.Estimators;
import java.util.List;
import picocli.CommandLine.Option;

/** Which estimators, and their options. */
public final class EstimatorFlags extends OptionFlags {

    @Option(
            names = "--estimator",
            paramLabel = "NAMES",
            defaultValue = DetectorOptions.STANDARD_ESTIMATOR,
            description =
                    "Estimators to fit, separated by commas, see 'nescio estimators'; the first gives the epistemic uncertainty"
                            + " (default ${DEFAULT-VALUE}). Options of one of them follow its name: jlde:k=10,states=0|-1. The options"
                            + " below apply to all estimators that have them.")
    public String names = DetectorOptions.STANDARD_ESTIMATOR;

    public EstimatorFlags() {
        super(Estimators.options());
    }

    @Override
    public String heading() {
        return "Uncertainty";
    }

    /** Whether nobody has chosen anything. */
    public boolean areStandard() {
        return names.equals(DetectorOptions.STANDARD_ESTIMATOR) && given().isEmpty();
    }

    public List<EstimatorSpec> specs() {
        return Estimators.with(Estimators.parseAll(names), given());
    }
}
