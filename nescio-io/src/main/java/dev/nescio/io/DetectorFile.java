package dev.nescio.io;

import dev.nescio.detector.Detector;
import dev.nescio.matrix.NdArray;
import dev.nescio.model.Architectures;
import dev.nescio.model.Model;
import dev.nescio.model.Weights;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.problem.BadModelFile;
import dev.nescio.problem.NescioException;
import dev.nescio.uncertainty.Jlde;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A detector on disk: a directory, or a zip where the name ends so, with {@code manifest.json} and two safetensors files.
 * Nothing in it is ever executed.
 */
public final class DetectorFile {

    private static final String MANIFEST = "manifest.json";
    private static final String PARAMETERS = "parameters.safetensors";
    private static final String ESTIMATOR = "estimator.safetensors";
    private static final int LONGEST_MANIFEST = 16 << 20;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private DetectorFile() {}

    /** Writes one file of the detector. */
    private interface Part {
        void write(OutputStream out) throws IOException;
    }

    /** Refuses a place where {@link #write} would overwrite something that is not a detector. */
    public static void requireWritable(Path target) {
        boolean free = !Files.exists(target)
                || (isZip(target) ? Files.isRegularFile(target) : isDetector(target) || isEmptyDirectory(target));
        if (!free) {
            throw new BadConfiguration(target + " exists and is not a saved detector; it is left alone");
        }
    }

    /** Writes under a temporary name and moves; an older detector of this name is replaced. */
    public static void write(Detector detector, Path target) {
        requireWritable(target);
        if (isZip(target)) {
            AtomicFile.write(target, out -> zip(parts(detector), out));
            return;
        }
        try {
            Files.createDirectories(AtomicFile.parent(target));
            Path temporary = Files.createDirectory(AtomicFile.temporaryBeside(target));
            try {
                for (Map.Entry<String, Part> part : parts(detector).entrySet()) {
                    AtomicFile.write(temporary.resolve(part.getKey()), part.getValue()::write);
                }
                replace(target, temporary);
            } finally {
                deleteTree(temporary);
            }
        } catch (IOException e) {
            throw new BadInput(target + " cannot be written: " + AtomicFile.reason(e), e);
        }
    }

    private static Map<String, Part> parts(Detector detector) {
        Map<String, Part> parts = new LinkedHashMap<>();
        byte[] manifest =
                JSON.writeValueAsString(Manifest.of(detector, version())).getBytes(StandardCharsets.UTF_8);
        parts.put(MANIFEST, out -> out.write(manifest));
        parts.put(
                PARAMETERS,
                out -> Safetensors.write(out, new TreeMap<>(detector.model().parameters())));
        parts.put(ESTIMATOR, out -> Safetensors.write(out, detector.estimator().state()));
        return parts;
    }

    private static void zip(Map<String, Part> parts, OutputStream out) throws IOException {
        ZipOutputStream zip = new ZipOutputStream(out);
        for (Map.Entry<String, Part> part : parts.entrySet()) {
            ZipEntry entry = new ZipEntry(part.getKey());
            entry.setTimeLocal(LocalDateTime.of(1980, 1, 1, 0, 0));
            zip.putNextEntry(entry);
            part.getValue().write(zip);
            zip.closeEntry();
        }
        zip.finish();
    }

    private static void replace(Path target, Path fresh) throws IOException {
        if (!Files.exists(target)) {
            AtomicFile.move(fresh, target);
            return;
        }
        Path old = AtomicFile.temporaryBeside(target);
        AtomicFile.move(target, old);
        AtomicFile.move(fresh, target);
        deleteTree(old);
    }

    public static Detector read(Path source) {
        if (!Files.exists(source)) {
            throw new BadInput(source + " does not exist");
        }
        if (Files.isDirectory(source)) {
            if (!isDetector(source)) {
                throw new BadModelFile(source + " is not a saved detector: it has no " + MANIFEST);
            }
            return read(source, name -> {
                Path file = source.resolve(name);
                return new Bytes(Files.newInputStream(file), Files.size(file));
            });
        }
        try (ZipFile zip = new ZipFile(source.toFile())) {
            return read(source, name -> {
                ZipEntry entry = zip.getEntry(name);
                if (entry == null) {
                    throw new BadModelFile(source + " is not a saved detector: it has no " + name);
                }
                return new Bytes(zip.getInputStream(entry), entry.getSize());
            });
        } catch (IOException e) {
            throw new BadModelFile(source + " is not a saved detector or is cut off: " + e.getMessage(), e);
        }
    }

    private record Bytes(InputStream in, long size) {}

    private interface Source {
        Bytes open(String name) throws IOException;
    }

    private static Detector read(Path place, Source source) {
        Manifest manifest = manifest(place, source);
        try {
            Model model = new Model(
                    manifest.architecture(), manifest.shape(), manifest.model(), arrays(place, source, PARAMETERS));
            requireParameters(model);
            Jlde.FittedJlde estimator =
                    Jlde.FittedJlde.of(manifest.options().estimator(), arrays(place, source, ESTIMATOR));
            return new Detector(manifest.options(), manifest.classes(), model, estimator, manifest.provenance());
        } catch (BadModelFile e) {
            throw e.getMessage().startsWith(place.toString()) ? e : new BadModelFile(place + ": " + e.getMessage(), e);
        } catch (NescioException | IllegalArgumentException e) {
            throw new BadModelFile(place + ": " + e.getMessage(), e);
        }
    }

    /** Builds the network once, which checks the name and shape of every parameter. */
    private static void requireParameters(Model model) {
        try (Weights weights = Weights.of(model.parameters())) {
            Architectures.named(model.architecture()).network(weights, model.shape(), model.options());
        }
    }

    private static Manifest manifest(Path place, Source source) {
        try (InputStream in = source.open(MANIFEST).in) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            bytes.write(in.readNBytes(LONGEST_MANIFEST));
            var tree = JSON.readTree(bytes.toByteArray());
            if (!tree.path("kind").asString("").equals(Manifest.KIND)) {
                throw new BadModelFile(place + ": " + MANIFEST + " is not the one of a detector");
            }
            int format = tree.path("format").asInt(0);
            if (format != Manifest.FORMAT) {
                throw new BadModelFile(
                        place + " has format " + format + "; this version reads format " + Manifest.FORMAT);
            }
            return JSON.treeToValue(tree, Manifest.class);
        } catch (IOException | JacksonException e) {
            throw new BadModelFile(place + ": " + MANIFEST + " cannot be read: " + firstLine(e), e);
        }
    }

    private static Map<String, NdArray> arrays(Path place, Source source, String name) {
        try {
            Bytes bytes = source.open(name);
            try (InputStream in = new BufferedInputStream(bytes.in, 1 << 16)) {
                return Safetensors.read(in, place + ": " + name, bytes.size);
            }
        } catch (IOException e) {
            throw new BadModelFile(place + ": " + name + " cannot be read: " + AtomicFile.reason(e), e);
        }
    }

    private static String firstLine(Exception e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    private static boolean isZip(Path path) {
        return path.getFileName().toString().endsWith(".zip");
    }

    private static boolean isDetector(Path path) {
        return Files.isRegularFile(path.resolve(MANIFEST));
    }

    private static boolean isEmptyDirectory(Path path) {
        try (Stream<Path> children = Files.isDirectory(path) ? Files.list(path) : Stream.of(path)) {
            return children.findAny().isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    private static void deleteTree(Path root) throws IOException {
        if (Files.exists(root)) {
            try (Stream<Path> tree = Files.walk(root)) {
                for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    /** The version of Nescio. */
    public static String version() {
        String version = DetectorFile.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
