// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.detector;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.ReferenceNodes;
import dev.nescio.io.array.Safetensors;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.file.Container;
import dev.nescio.model.Model;
import dev.nescio.model.layer.Weights;
import dev.nescio.option.Nearest;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.problem.BadModelFile;
import dev.nescio.problem.NescioException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A detector on disk: one file where the name ends in {@code .nescio} or {@code .zip}, otherwise a directory, with
 * {@code manifest.json}, the ids of the nodes that it was made from, and as safetensors the parameters of the network, the state of
 * each estimator, and what is ordinary. Nothing in it is ever executed.
 */
public final class DetectorFile {

    static final int FORMAT = Manifest.FORMAT;
    static final String MANIFEST = "manifest.json";
    private static final String PARAMETERS = "parameters.safetensors";
    private static final String OUR_FILES =
            "(manifest|nodes|references)\\.json|(parameters|network-[0-9]+|estimator-[a-z0-9-]+|calibration|reference|surprises)\\.safetensors|model\\.onnx|"
                    + Container.SUMS;
    /** The first format whose files all have a checksum. */
    private static final int CHECKED = 3;

    private static final int LONGEST_MANIFEST = 16 << 20;

    static final JsonMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private DetectorFile() {}

    /** The first network, and the other members of an ensemble. */
    private static String parametersFile(int network) {
        return network == 0 ? PARAMETERS : "network-" + network + ".safetensors";
    }

    /** Refuses a place where {@link #write} would overwrite something that is not a detector, or could not write. */
    public static void requireWritable(Path target) {
        if (Files.exists(target) && !isFree(target)) {
            throw new BadConfiguration(target + " exists and is not a saved detector; it is left alone");
        }
        AtomicFile.requireWritable(target);
    }

    private static boolean isFree(Path target) {
        if (Files.isDirectory(target) == Container.isZip(target)) {
            return false;
        }
        try (Container container = Container.open(target)) {
            return container.names().isEmpty()
                    || (container.names().stream().allMatch(name -> name.matches(OUR_FILES))
                            && isOurs(manifest(container)));
        } catch (IOException | BadModelFile e) {
            return false;
        }
    }

    /** Writes under a temporary name and moves; an older detector of this name is replaced. */
    public static void write(Detector detector, Path target) {
        requireWritable(target);
        Map<String, AtomicFile.Content> files = new LinkedHashMap<>();
        byte[] manifest =
                JSON.writeValueAsString(Manifest.of(detector, version())).getBytes(StandardCharsets.UTF_8);
        files.put(MANIFEST, out -> out.write(manifest));
        for (int i = 0; i < detector.networks().size(); i++) {
            Model network = detector.networks().get(i);
            files.put(parametersFile(i), out -> Safetensors.write(out, new TreeMap<>(network.parameters())));
        }
        FittedEstimatorsFiles.add(detector.estimators(), detector.nodes(), files);
        ReferenceNodes reference = detector.reference();
        if (reference != null) {
            files.put(ReferenceFile.NAME, out -> Safetensors.write(out, ReferenceFile.arrays(reference)));
        }
        Container.write(target, files);
    }

    /**
     * Reads a detector that this version or an older one saved; everything is checked. Refuses a file that is damaged or from a
     * newer version, and a detector of hidden states.
     *
     * <pre>{@code
     * DetectorFile.write(detector, Path.of("fraud.nescio"));
     * Detector same = DetectorFile.read(Path.of("fraud.nescio"));
     * }</pre>
     */
    public static Detector read(Path source) {
        return open(source, (container, tree) -> {
            String kind = tree.path("kind").asString("");
            if (EmbeddingDetectorFile.isKind(kind)) {
                throw new BadConfiguration(source + " was fitted "
                        + (kind.equals(EmbeddingDetectorFile.KIND) ? "on an external model" : "without labels")
                        + "; use it with 'nescio score' or 'nescio explain'");
            }
            return detector(read(tree, Manifest.class), container);
        });
    }

    /**
     * Who wrote a detector.
     *
     * @param nescio the version
     */
    public record Origin(int format, String nescio) {}

    /** Who wrote a detector of any kind; refuses a file that is none, or from a newer version. */
    public static Origin origin(Path source) {
        return open(source, (container, upgraded) -> {
            JsonNode tree = manifest(container);
            return new Origin(
                    tree.path("format").asInt(0),
                    Nearest.shortened(tree.path("nescio").asString("?")));
        });
    }

    /** Makes something of what is saved. */
    @FunctionalInterface
    interface Body<T> {
        T read(Container container, JsonNode manifest) throws IOException;
    }

    /** Opens what is saved, checks that it is a detector of this format, and blames the file for whatever goes wrong. */
    static <T> T open(Path source, Body<T> body) {
        Container.recover(source);
        if (!Files.exists(source)) {
            throw new BadInput(source + " does not exist");
        }
        try (Container container = Container.open(source)) {
            JsonNode tree = manifest(container);
            if (!isOurs(tree)) {
                throw new BadModelFile(source + ": " + MANIFEST + " is not the one of a detector");
            }
            int format = tree.path("format").asInt(0);
            if (format < 1 || format > FORMAT) {
                throw new BadModelFile(source + " was written by Nescio "
                        + tree.path("nescio").asString("?")
                        + " in format " + format + "; this is Nescio " + version() + ", which reads formats 1 to "
                        + FORMAT);
            }
            if (format >= CHECKED && !container.hasChecksums()) {
                throw new BadModelFile(source + " has no " + Container.SUMS);
            }
            if (format == 1) {
                FormatOne.upgrade((ObjectNode) tree);
            }
            if (format <= 3) {
                FormatThree.upgrade((ObjectNode) tree);
            }
            return body.read(container, tree);
        } catch (IOException e) {
            throw new BadModelFile(source + " is not a saved detector, cut off or damaged: " + AtomicFile.reason(e), e);
        } catch (JacksonException e) {
            throw new BadModelFile(source + ": " + reason(e), e);
        } catch (NescioException e) {
            throw e.getMessage().startsWith(source.toString())
                    ? e
                    : new BadModelFile(source + ": " + firstLine(e.getMessage()), e);
        } catch (RuntimeException e) {
            // Whatever a damaged file leads to, it is the file's fault: nothing else is at work here.
            throw new BadModelFile(source + " is damaged: what its files hold does not fit together", e);
        }
    }

    /** What one of our own limits says, or where the text ends to be JSON. */
    private static String reason(JacksonException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof NescioException ours) {
                return MANIFEST + " cannot be read: " + firstLine(ours.getMessage());
            }
        }
        int line = e.getLocation() == null ? -1 : e.getLocation().getLineNr();
        return MANIFEST + " cannot be read: " + (line < 1 ? "it" : "line " + line) + " is not what Nescio writes there";
    }

    /** A manifest whose keys are all known and all there. */
    static <T extends Record> T read(JsonNode tree, Class<T> type) {
        List<String> known = Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();
        for (String name : tree.propertyNames()) {
            if (!known.contains(name)) {
                throw new BadModelFile(MANIFEST + " has an unknown key '" + Nearest.shortened(name) + "'; "
                        + Nearest.hint(name, known));
            }
        }
        for (RecordComponent component : type.getRecordComponents()) {
            JsonNode value = tree.get(component.getName());
            if (value == null) {
                throw new BadModelFile(MANIFEST + " has no key '" + component.getName() + "'");
            }
            if (value.isNull() && !component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                throw new BadModelFile(MANIFEST + " says null for '" + component.getName() + "'");
            }
        }
        return JSON.treeToValue(tree, type);
    }

    private static Detector detector(Manifest manifest, Container container) throws IOException {
        DetectorOptions options = manifest.options();
        List<Model> networks = new ArrayList<>();
        for (int i = 0; i < manifest.networks(); i++) {
            networks.add(new Model(
                    options.architecture(),
                    manifest.shape(),
                    options.model(),
                    FittedEstimatorsFiles.arrays(container, parametersFile(i))));
            requireParameters(networks.get(i));
        }
        return new Detector(
                options,
                networks,
                FittedEstimatorsFiles.read(
                        container,
                        options.estimators(),
                        manifest.classes(),
                        manifest.temperature(),
                        manifest.calibratedOn()),
                manifest.schema(),
                FittedEstimatorsFiles.nodes(container),
                container.names().contains(ReferenceFile.NAME)
                        ? ReferenceFile.read(FittedEstimatorsFiles.arrays(container, ReferenceFile.NAME))
                        : null,
                manifest.provenance());
    }

    /** Builds the network once, which checks the name and shape of every parameter. */
    private static void requireParameters(Model model) {
        try (Weights weights = Weights.of(model.parameters())) {
            model.architecture().network(weights, model.shape(), model.options());
        }
    }

    private static boolean isOurs(JsonNode manifest) {
        String kind = manifest.path("kind").asString("");
        return kind.equals(Manifest.KIND) || EmbeddingDetectorFile.isKind(kind);
    }

    private static JsonNode manifest(Container container) throws IOException {
        try (InputStream in = container.open(MANIFEST).in()) {
            return JSON.readTree(in.readNBytes(LONGEST_MANIFEST));
        } catch (JacksonException e) {
            throw new BadModelFile(container.place() + ": " + reason(e), e);
        }
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse("");
    }

    /** The version of Nescio. */
    public static String version() {
        String version = DetectorFile.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
