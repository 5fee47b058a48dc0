package dev.nescio.io.detector;

import dev.nescio.decision.Calibration;
import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.Provenance;
import dev.nescio.detector.SamplingOptions;
import dev.nescio.graph.Preprocessing;
import dev.nescio.graph.TableSchema;
import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.uncertainty.estimator.JldeOptions;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What {@code manifest.json} of a saved detector says: everything but the numbers. Holds no time of day, so that the same
 * training gives the same bytes.
 *
 * @param format version of the layout; readers refuse a newer one
 */
public record Manifest(
        int format,
        String kind,
        String nescio,
        String architecture,
        Architecture.Shape shape,
        ModelOptions model,
        TrainingOptions training,
        Preprocessing preprocessing,
        List<String> classes,
        List<Integer> leftOut,
        List<String> estimators,
        JldePart jlde,
        SamplingOptions sampling,
        boolean calibrate,
        double heldOut,
        double temperature,
        int networks,
        @Nullable TableSchema schema,
        String calibratedOn,
        Provenance provenance) {

    static final int FORMAT = 1;
    static final String KIND = "nescio-detector";

    /** What detectors of this format were that were written before some of its keys existed. */
    static void addMissing(ObjectNode manifest) {
        manifest.putIfAbsent(
                "sampling",
                manifest.objectNode()
                        .put("passes", SamplingOptions.defaults().passes())
                        .put("members", SamplingOptions.defaults().members()));
        manifest.putIfAbsent("calibrate", manifest.booleanNode(false));
        manifest.putIfAbsent("heldOut", manifest.numberNode(0.0));
        manifest.putIfAbsent("temperature", manifest.numberNode(1.0));
        manifest.putIfAbsent("networks", manifest.numberNode(1));
        manifest.putIfAbsent("schema", manifest.nullNode());
        manifest.putIfAbsent("calibratedOn", manifest.stringNode(Calibration.NONE.source()));
        if (manifest.get("model") instanceof ObjectNode model) {
            model.putIfAbsent("choices", model.objectNode());
        }
        if (manifest.get("training") instanceof ObjectNode training) {
            training.putIfAbsent("stopping", training.stringNode(TrainingOptions.Stopping.ACCURACY.name()));
        }
        if (manifest.get("jlde") instanceof ObjectNode jlde) {
            jlde.putIfAbsent("features", jlde.booleanNode(false));
            jlde.putIfAbsent("search", jlde.stringNode(JldeOptions.Search.EXACT.name()));
        }
    }

    static Manifest of(Detector detector, String version) {
        DetectorOptions options = detector.options();
        return new Manifest(
                FORMAT,
                KIND,
                version,
                options.architecture(),
                detector.model().shape(),
                options.model(),
                options.training(),
                options.preprocessing(),
                detector.classes(),
                options.leftOut().stream().sorted().toList(),
                options.estimators(),
                JldePart.of(options.jlde()),
                options.sampling(),
                options.calibrate(),
                options.heldOut(),
                detector.assessor().temperature(),
                detector.networks().size(),
                detector.schema(),
                detector.calibration().source(),
                detector.provenance());
    }

    DetectorOptions options() {
        return new DetectorOptions(
                architecture,
                model,
                training,
                preprocessing,
                estimators,
                jlde.options(),
                sampling,
                calibrate,
                heldOut,
                Set.copyOf(leftOut));
    }
}
