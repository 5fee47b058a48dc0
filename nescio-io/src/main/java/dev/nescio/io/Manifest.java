package dev.nescio.io;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.Provenance;
import dev.nescio.detector.SamplingOptions;
import dev.nescio.graph.Preprocessing;
import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.Training;
import dev.nescio.uncertainty.JldeOptions;
import dev.nescio.uncertainty.density.Bandwidth;
import dev.nescio.uncertainty.density.Keep;
import dev.nescio.uncertainty.density.Scaling;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * What {@code manifest.json} of a saved detector says: everything but the numbers. Holds no time of day, so that the same
 * training gives the same bytes.
 *
 * @param format version of the layout; readers refuse a newer one
 */
record Manifest(
        int format,
        String kind,
        String nescio,
        String architecture,
        Architecture.Shape shape,
        ModelOptions model,
        Training training,
        Preprocessing preprocessing,
        List<String> classes,
        List<Integer> leftOut,
        List<String> estimators,
        JldePart jlde,
        SamplingOptions sampling,
        boolean calibrate,
        double temperature,
        int networks,
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
        manifest.putIfAbsent("temperature", manifest.numberNode(1.0));
        manifest.putIfAbsent("networks", manifest.numberNode(1));
        if (manifest.get("model") instanceof ObjectNode model) {
            model.putIfAbsent("choices", model.objectNode());
        }
        if (manifest.get("training") instanceof ObjectNode training) {
            training.putIfAbsent("stopping", training.stringNode(Training.Stopping.ACCURACY.name()));
        }
        if (manifest.get("jlde") instanceof ObjectNode jlde) {
            jlde.putIfAbsent("features", jlde.booleanNode(false));
            jlde.putIfAbsent("search", jlde.stringNode(JldeOptions.Search.EXACT.name()));
        }
    }

    /** The options of the JLDE family, with their variants as text. */
    record JldePart(
            List<Integer> states,
            int k,
            String keep,
            JldeOptions.Reduction reduction,
            Scaling scaling,
            boolean energyNormalised,
            boolean separate,
            String bandwidth,
            boolean equalPriors,
            boolean features,
            JldeOptions.Search search) {}

    static Manifest of(Detector detector, String version) {
        DetectorOptions options = detector.options();
        JldeOptions jlde = options.jlde();
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
                new JldePart(
                        jlde.states(),
                        jlde.k(),
                        jlde.keep().text(),
                        jlde.reduction(),
                        jlde.scaling(),
                        jlde.energyNormalised(),
                        jlde.separate(),
                        jlde.bandwidth().text(),
                        jlde.equalPriors(),
                        jlde.features(),
                        jlde.search()),
                options.sampling(),
                options.calibrate(),
                detector.temperature(),
                detector.networks().size(),
                detector.provenance());
    }

    DetectorOptions options() {
        return new DetectorOptions(
                architecture,
                model,
                training,
                preprocessing,
                estimators,
                new JldeOptions(
                        jlde.states,
                        jlde.k,
                        Keep.parse(jlde.keep),
                        jlde.reduction,
                        jlde.scaling,
                        jlde.energyNormalised,
                        jlde.separate,
                        Bandwidth.parse(jlde.bandwidth),
                        jlde.equalPriors,
                        jlde.features,
                        jlde.search),
                sampling,
                calibrate,
                Set.copyOf(leftOut));
    }
}
