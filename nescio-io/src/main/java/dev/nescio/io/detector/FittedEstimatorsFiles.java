package dev.nescio.io.detector;

import dev.nescio.decision.Calibration;
import dev.nescio.detector.FittedEstimators;
import dev.nescio.detector.KnownNodes;
import dev.nescio.io.array.Safetensors;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.file.Container;
import dev.nescio.matrix.NdArray;
import dev.nescio.problem.BadModelFile;
import dev.nescio.uncertainty.FittedEstimator;
import dev.nescio.uncertainty.estimator.Estimators;
import dev.nescio.uncertainty.estimator.JldeOptions;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The files of fitted estimators, of what is ordinary, and of the nodes that both come from. */
public final class FittedEstimatorsFiles {

    private static final String NODES = "nodes.json";
    private static final String CALIBRATION = "calibration.safetensors";
    private static final String EPISTEMIC = "epistemic.";
    private static final int LONGEST_NODES = 1 << 30;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private FittedEstimatorsFiles() {}

    private static String estimatorFile(String name) {
        return "estimator-" + name + ".safetensors";
    }

    static void add(FittedEstimators assessor, KnownNodes nodes, Map<String, AtomicFile.Content> files) {
        assessor.estimators()
                .forEach((name, fitted) ->
                        files.put(estimatorFile(name), out -> Safetensors.write(out, fitted.state())));
        files.put(CALIBRATION, out -> Safetensors.write(out, arrays(assessor.calibration())));
        files.put(NODES, out -> out.write(JSON.writeValueAsString(nodes).getBytes(StandardCharsets.UTF_8)));
    }

    static FittedEstimators read(
            Container container,
            List<String> estimators,
            JldeOptions jlde,
            List<String> classes,
            double temperature,
            String calibratedOn)
            throws IOException {
        Map<String, FittedEstimator> fitted = new LinkedHashMap<>();
        for (String name : estimators) {
            fitted.put(name, Estimators.load(name, jlde, arrays(container, estimatorFile(name))));
        }
        Calibration calibration = container.names().contains(CALIBRATION)
                ? calibration(arrays(container, CALIBRATION), estimators, calibratedOn)
                : Calibration.NONE;
        return new FittedEstimators(jlde, classes, temperature, fitted, calibration);
    }

    /** Detectors that were written before nodes were kept have none. */
    static KnownNodes nodes(Container container) throws IOException {
        if (!container.names().contains(NODES)) {
            return KnownNodes.NONE;
        }
        Container.Entry entry = container.open(NODES);
        try (InputStream in = entry.in()) {
            return JSON.readValue(in.readNBytes((int) Math.min(LONGEST_NODES, entry.mostBytes())), KnownNodes.class);
        } catch (JacksonException e) {
            throw new BadModelFile(container.place() + ": " + NODES + " does not hold the ids of nodes", e);
        }
    }

    static Map<String, NdArray> arrays(Container container, String name) throws IOException {
        Container.Entry entry = container.open(name);
        try (InputStream in = new BufferedInputStream(entry.in(), 1 << 16)) {
            return Safetensors.read(in, container.place() + ": " + name, entry.mostBytes());
        }
    }

    private static Map<String, NdArray> arrays(Calibration calibration) {
        Map<String, NdArray> arrays = new LinkedHashMap<>();
        calibration.epistemic().forEach((name, scores) -> arrays.put(EPISTEMIC + name, NdArray.of(scores)));
        arrays.put("truth", NdArray.of(calibration.truth()));
        arrays.put("aleatoric", NdArray.of(calibration.aleatoric()));
        arrays.put("right", new NdArray.Booleans(new int[] {calibration.right().length}, calibration.right()));
        return arrays;
    }

    private static Calibration calibration(Map<String, NdArray> arrays, List<String> estimators, String source) {
        Map<String, double[]> epistemic = new LinkedHashMap<>();
        for (String name : estimators) {
            if (arrays.containsKey(EPISTEMIC + name)) {
                epistemic.put(name, doubles(arrays, EPISTEMIC + name));
            }
        }
        if (!(arrays.get("right") instanceof NdArray.Booleans right)) {
            throw new BadModelFile(CALIBRATION + " has no 'right'");
        }
        return new Calibration(
                source, epistemic, doubles(arrays, "truth"), doubles(arrays, "aleatoric"), right.values());
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
