// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.detector;

import dev.nescio.detector.EmbeddingDetector;
import dev.nescio.graph.TableSchema;
import dev.nescio.io.array.Safetensors;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.file.Container;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadModelFile;
import dev.nescio.surprise.Surprises;
import dev.nescio.uncertainty.EstimatorSpec;
import dev.nescio.uncertainty.estimator.Estimators;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A detector for states from elsewhere on disk: the same layout as {@link DetectorFile} without networks of ours, with the ONNX
 * model that makes the states, or what was learned from a graph without labels, where there is one.
 */
public final class EmbeddingDetectorFile {

    static final String KIND = "nescio-states";
    /** Of detectors for graphs without labels. */
    static final String UNLABELLED_KIND = "nescio-unlabelled";

    private static final String ONNX = "model.onnx";
    private static final String SURPRISES = "surprises.safetensors";
    private static final String REFERENCES = "references.json";
    private static final int LONGEST_REFERENCES = 1 << 24;
    private static final int LARGEST_ONNX = 1 << 30;

    private EmbeddingDetectorFile() {}

    /**
     * What is saved.
     *
     * @param onnx the model that makes the states; null where they are made elsewhere
     * @param surprises what makes the states of a graph without labels; null where something else does
     * @param schema how tables become features for it; null where its graph did not come from tables
     */
    public record Saved(
            EmbeddingDetector detector,
            byte @Nullable [] onnx,
            @Nullable Surprises surprises,
            @Nullable TableSchema schema) {}

    /** What {@code manifest.json} says. */
    record Manifest(
            int format,
            String kind,
            String nescio,
            List<String> classes,
            List<String> estimators,
            double temperature,
            List<Integer> widths,
            int logits,
            String source,
            String calibratedOn,
            @Nullable TableSchema schema,
            String fingerprint) {}

    /**
     * Writes a detector whole or not at all; an older detector of this name is replaced. Refuses a place where something else is,
     * and an ONNX model of more than 1 GiB.
     */
    public static void write(Saved saved, Path target) {
        EmbeddingDetector detector = saved.detector;
        byte[] onnx = saved.onnx;
        Surprises surprises = saved.surprises;
        DetectorFile.requireWritable(target);
        Manifest manifest = new Manifest(
                DetectorFile.FORMAT,
                surprises == null ? KIND : UNLABELLED_KIND,
                DetectorFile.version(),
                detector.estimators().classes(),
                detector.estimators().specs().stream()
                        .map(EstimatorSpec::stored)
                        .toList(),
                detector.estimators().temperature(),
                detector.widths(),
                detector.logits(),
                detector.source(),
                detector.estimators().calibration().source(),
                saved.schema,
                detector.fingerprint());
        if (onnx != null && onnx.length > LARGEST_ONNX) {
            throw new BadConfiguration("the ONNX model has " + onnx.length + " bytes; the limit is " + LARGEST_ONNX);
        }
        Map<String, AtomicFile.Content> files = new LinkedHashMap<>();
        byte[] text = DetectorFile.JSON.writeValueAsString(manifest).getBytes(StandardCharsets.UTF_8);
        files.put(DetectorFile.MANIFEST, out -> out.write(text));
        FittedEstimatorsFiles.add(detector.estimators(), detector.nodes(), files);
        if (onnx != null) {
            files.put(ONNX, out -> out.write(onnx));
        }
        if (surprises != null) {
            byte[] ids = DetectorFile.JSON
                    .writeValueAsString(surprises.referenceIds())
                    .getBytes(StandardCharsets.UTF_8);
            files.put(REFERENCES, out -> out.write(ids));
            files.put(SURPRISES, out -> Safetensors.write(out, surprises.state()));
        }
        Container.write(target, files);
    }

    private static Surprises surprises(Container container) throws IOException {
        try (InputStream in = container.open(REFERENCES).in()) {
            String[] ids = DetectorFile.JSON.readValue(in.readNBytes(LONGEST_REFERENCES), String[].class);
            return Surprises.load(FittedEstimatorsFiles.arrays(container, SURPRISES), List.of(ids));
        } catch (JacksonException | NullPointerException e) {
            throw new BadModelFile(container.place() + ": " + REFERENCES + " does not hold the ids of nodes", e);
        }
    }

    /** Whether what is saved there is a detector of this kind. */
    public static boolean is(Path source) {
        return DetectorFile.open(source, (container, tree) -> isOurs(tree));
    }

    static boolean isKind(String kind) {
        return kind.equals(KIND) || kind.equals(UNLABELLED_KIND);
    }

    private static boolean isOurs(JsonNode manifest) {
        return isKind(manifest.path("kind").asString(""));
    }

    /**
     * Reads what {@link #write} wrote. Refuses a file that is damaged or from a newer version, and a detector with a network of
     * ours.
     */
    public static Saved read(Path source) {
        return DetectorFile.open(source, (container, tree) -> {
            if (!isOurs(tree)) {
                throw new BadConfiguration(source + " was trained on a graph, not fitted on states; it scores graphs");
            }
            Manifest manifest = DetectorFile.read(tree, Manifest.class);
            if (manifest.logits != 0 && manifest.logits != manifest.classes.size()) {
                throw new BadModelFile(source + ": there are " + manifest.logits + " logits, but "
                        + manifest.classes.size() + " classes");
            }
            EmbeddingDetector detector = new EmbeddingDetector(
                    FittedEstimatorsFiles.read(
                            container,
                            manifest.estimators.stream()
                                    .map(Estimators::restore)
                                    .toList(),
                            manifest.classes,
                            manifest.temperature,
                            manifest.calibratedOn),
                    manifest.widths,
                    manifest.logits,
                    FittedEstimatorsFiles.nodes(container),
                    manifest.source,
                    manifest.fingerprint);
            byte[] onnx = null;
            if (container.names().contains(ONNX)) {
                Container.Entry entry = container.open(ONNX);
                if (entry.mostBytes() > LARGEST_ONNX) {
                    throw new BadModelFile(source + ": " + ONNX + " is larger than " + LARGEST_ONNX + " bytes");
                }
                try (InputStream in = entry.in()) {
                    onnx = in.readNBytes((int) entry.mostBytes());
                }
            }
            Surprises surprises = manifest.kind.equals(UNLABELLED_KIND) ? surprises(container) : null;
            return new Saved(detector, onnx, surprises, manifest.schema);
        });
    }
}
