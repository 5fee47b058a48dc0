// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.detector;

import dev.nescio.decision.Calibration;
import dev.nescio.detector.FittedEstimators;
import dev.nescio.detector.KnownNodes;
import dev.nescio.io.array.Safetensors;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.file.Container;
import dev.nescio.matrix.NdArray;
import dev.nescio.problem.BadModelFile;
import dev.nescio.uncertainty.EstimatorSpec;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The files of fitted estimators, of what is ordinary, and of the nodes that both come from. */
final class FittedEstimatorsFiles {

    private static final String NODES = "nodes.json";
    private static final String CALIBRATION = "calibration.safetensors";
    private static final String EPISTEMIC = "epistemic.";
    private static final String TRUTH = "truth";
    private static final String ALEATORIC = "aleatoric";
    private static final String RIGHT = "right";
    private static final int LONGEST_NODES = 1 << 30;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private FittedEstimatorsFiles() {}

    /** The file of each estimator; several with the same name are numbered. */
    private static List<String> files(List<EstimatorSpec> specs) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        List<String> files = new ArrayList<>();
        for (EstimatorSpec spec : specs) {
            int count = counts.merge(spec.name(), 1, Integer::sum);
            files.add("estimator-" + spec.name() + (count == 1 ? "" : "-" + count) + ".safetensors");
        }
        return files;
    }

    static void add(FittedEstimators estimators, KnownNodes nodes, Map<String, AtomicFile.Content> files) {
        List<String> names = files(estimators.specs());
        List<FittedEstimators.Entry> entries = List.copyOf(estimators.byLabel().values());
        for (int i = 0; i < entries.size(); i++) {
            FittedEstimators.Entry entry = entries.get(i);
            files.put(names.get(i), out -> Safetensors.write(out, entry.fitted().state()));
        }
        files.put(CALIBRATION, out -> Safetensors.write(out, arrays(estimators.calibration())));
        files.put(
                NODES,
                out -> out.write(JSON.writeValueAsString(StoredNodes.of(nodes)).getBytes(StandardCharsets.UTF_8)));
    }

    static FittedEstimators read(
            Container container,
            List<EstimatorSpec> specs,
            List<String> classes,
            double temperature,
            String calibratedOn)
            throws IOException {
        List<String> names = files(specs);
        List<FittedEstimators.Entry> entries = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            entries.add(new FittedEstimators.Entry(specs.get(i), specs.get(i).load(arrays(container, names.get(i)))));
        }
        Calibration calibration = container.names().contains(CALIBRATION)
                ? calibration(arrays(container, CALIBRATION), specs, calibratedOn)
                : Calibration.NONE;
        return FittedEstimators.of(entries, classes, temperature, calibration);
    }

    /** Detectors that were written before nodes were kept have none. */
    static KnownNodes nodes(Container container) throws IOException {
        if (!container.names().contains(NODES)) {
            return KnownNodes.NONE;
        }
        Container.Entry entry = container.open(NODES);
        try (InputStream in = entry.in()) {
            return JSON.readValue(in.readNBytes((int) Math.min(LONGEST_NODES, entry.mostBytes())), StoredNodes.class)
                    .nodes();
        } catch (JacksonException e) {
            throw new BadModelFile(container.place() + ": " + NODES + " does not hold the ids of nodes", e);
        }
    }

    /** Known nodes as a file holds them. */
    private record StoredNodes(
            List<String> training, List<String> choosing, List<String> heldOut, List<String> others) {

        StoredNodes {
            training = List.copyOf(training);
            choosing = List.copyOf(choosing);
            heldOut = List.copyOf(heldOut);
            others = List.copyOf(others);
        }

        static StoredNodes of(KnownNodes nodes) {
            return new StoredNodes(nodes.training(), nodes.choosing(), nodes.heldOut(), nodes.others());
        }

        KnownNodes nodes() {
            return new KnownNodes(training, choosing, heldOut, others);
        }
    }

    static Map<String, NdArray> arrays(Container container, String name) throws IOException {
        Container.Entry entry = container.open(name);
        try (InputStream in = new BufferedInputStream(entry.in(), 1 << 16)) {
            Map<String, NdArray> arrays = Safetensors.read(in, container.place() + ": " + name, entry.mostBytes());
            arrays.forEach((key, array) -> requireFinite(container.place() + ": " + name + ": '" + key + "'", array));
            return arrays;
        }
    }

    /** Whatever computes with a number that is not finite has no result. */
    private static void requireFinite(String place, NdArray array) {
        DoubleStream values = array instanceof NdArray.Doubles doubles
                ? Arrays.stream(doubles.values())
                : array instanceof NdArray.Floats floats
                        ? IntStream.range(0, floats.values().length).mapToDouble(i -> floats.values()[i])
                        : DoubleStream.empty();
        values.filter(value -> !Double.isFinite(value)).findFirst().ifPresent(value -> {
            throw new BadModelFile(place + " holds " + value + ", but all its numbers must be finite");
        });
    }

    private static Map<String, NdArray> arrays(Calibration calibration) {
        Map<String, NdArray> arrays = new LinkedHashMap<>();
        calibration.epistemic().forEach((name, scores) -> arrays.put(EPISTEMIC + name, NdArray.of(scores)));
        calibration.predictions().forEach((predictor, outcomes) -> {
            boolean[] right = outcomes.right();
            arrays.put(of(TRUTH, predictor), NdArray.of(outcomes.truth()));
            arrays.put(of(ALEATORIC, predictor), NdArray.of(outcomes.aleatoric()));
            arrays.put(of(RIGHT, predictor), new NdArray.Booleans(new int[] {right.length}, right));
        });
        return arrays;
    }

    private static String of(String what, String predictor) {
        return what + "." + predictor;
    }

    private static Calibration calibration(Map<String, NdArray> arrays, List<EstimatorSpec> specs, String source) {
        Map<String, double[]> epistemic = new LinkedHashMap<>();
        Map<String, Calibration.Outcomes> predictions = new LinkedHashMap<>();
        if (arrays.containsKey(TRUTH)) {
            // Format 1 knew the predictions of the first estimator alone.
            predictions.put(predictor(specs.get(0), specs), outcomes(arrays, TRUTH, ALEATORIC, RIGHT));
        }
        for (EstimatorSpec spec : specs) {
            String label = spec.label(specs);
            String predictor = predictor(spec, specs);
            if (arrays.containsKey(EPISTEMIC + label)) {
                epistemic.put(label, doubles(arrays, EPISTEMIC + label));
            }
            if (arrays.containsKey(of(TRUTH, predictor))) {
                predictions.put(
                        predictor,
                        outcomes(arrays, of(TRUTH, predictor), of(ALEATORIC, predictor), of(RIGHT, predictor)));
            }
        }
        return new Calibration(source, epistemic, predictions);
    }

    private static String predictor(EstimatorSpec spec, List<EstimatorSpec> specs) {
        return spec.estimator().predictsItself() ? spec.label(specs) : Calibration.LOGITS;
    }

    private static Calibration.Outcomes outcomes(
            Map<String, NdArray> arrays, String truth, String aleatoric, String right) {
        if (!(arrays.get(right) instanceof NdArray.Booleans booleans)) {
            throw new BadModelFile(CALIBRATION + " has no '" + right + "'");
        }
        return new Calibration.Outcomes(doubles(arrays, truth), doubles(arrays, aleatoric), booleans.values());
    }

    private static double[] doubles(Map<String, NdArray> arrays, String name) {
        if (!(arrays.get(name) instanceof NdArray.Doubles doubles)) {
            throw new BadModelFile(CALIBRATION + " has no numbers '" + name + "'");
        }
        for (double value : doubles.values()) {
            if (!Double.isFinite(value)) {
                throw new BadModelFile(CALIBRATION + ": '" + name + "' holds " + value);
            }
        }
        return doubles.values();
    }
}
