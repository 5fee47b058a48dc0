// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.detector;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.Provenance;
import dev.nescio.graph.Preprocessing;
import dev.nescio.graph.TableSchema;
import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.network.Architectures;
import dev.nescio.uncertainty.EstimatorSpec;
import dev.nescio.uncertainty.estimator.Estimators;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What {@code manifest.json} of a saved detector says: everything but the numbers. Options stand there as text, by name. Holds
 * no time of day, so that the same training gives the same bytes.
 *
 * @param format version of the layout; readers refuse a newer one
 * @param nescio version of the program that wrote it
 */
record Manifest(
        int format,
        String kind,
        String nescio,
        String architecture,
        Architecture.Shape shape,
        Map<String, String> model,
        Map<String, String> training,
        Map<String, String> preprocessing,
        Map<String, String> detector,
        List<String> classes,
        List<Integer> leftOut,
        List<String> estimators,
        double temperature,
        int networks,
        @Nullable TableSchema schema,
        String calibratedOn,
        Provenance provenance) {

    static final int FORMAT = 4;
    static final String KIND = "nescio-detector";

    static Manifest of(Detector detector, String version) {
        DetectorOptions options = detector.options();
        return new Manifest(
                FORMAT,
                KIND,
                version,
                options.architecture().name(),
                detector.model().shape(),
                options.model().values().texts(),
                options.training().values().texts(),
                options.preprocessing().values().texts(),
                options.detector().texts(),
                detector.classes(),
                options.leftOut().stream().sorted().toList(),
                options.estimators().stream().map(EstimatorSpec::stored).toList(),
                detector.estimators().temperature(),
                detector.networks().size(),
                detector.schema(),
                detector.calibration().source(),
                detector.provenance());
    }

    DetectorOptions options() {
        Architecture kindOfNetwork = Architectures.named(architecture);
        return new DetectorOptions(
                kindOfNetwork,
                new ModelOptions(kindOfNetwork.options().restore(model)),
                new TrainingOptions(TrainingOptions.GROUP.restore(training)),
                new Preprocessing(Preprocessing.GROUP.restore(preprocessing)),
                estimators.stream().map(Estimators::restore).toList(),
                DetectorOptions.GROUP.restore(detector),
                Set.copyOf(leftOut));
    }
}
