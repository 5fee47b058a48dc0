// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import dev.nescio.cli.flag.CommonFlags;
import dev.nescio.cli.output.ExitCode;
import dev.nescio.detector.Detector;
import dev.nescio.io.data.DataFolder;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.io.detector.EmbeddingDetectorFile;
import dev.nescio.io.detector.StateSource;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.graph.PackedLocation;
import dev.nescio.io.pack.PackedGraph;
import dev.nescio.io.table.DuckDb;
import dev.nescio.option.Nearest;
import dev.nescio.problem.NescioException;
import dev.nescio.study.Store;
import dev.nescio.tensor.Engine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code nescio doctor}. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description = "Check this machine, and detectors and studies, and say in words what is wrong.",
        footer = {
            "",
            "Exit code 2 means that something is wrong.",
            "",
            "Examples:",
            "  nescio doctor",
            "  nescio doctor model.nescio results"
        })
public final class DoctorCommand implements Callable<Integer> {

    /** Of a packed graph that are looked at together. */
    private static final int ROWS = 1 << 14;

    private static final int OLDEST_JAVA = 17;
    private static final long SMALL_HEAP = 512L << 20;
    private static final long SMALL_DISK = 1L << 30;

    @Parameters(
            arity = "0..*",
            paramLabel = "PLACE",
            description = "Saved detectors, packed graphs, or folders of studies.")
    @Nullable
    List<Path> places;

    @Mixin
    CommonFlags common;

    /**
     * What was looked at.
     *
     * @param isWell whether it can be used
     * @param finding what was found, and where something is wrong what to do
     */
    record Check(String what, boolean isWell, String finding) {}

    @Override
    public Integer call() {
        List<Check> checks = new ArrayList<>();
        checks.add(java());
        checks.add(memory());
        checks.add(libraries());
        checks.add(tables());
        checks.add(onnx());
        checks.add(folder("current folder", Path.of("")));
        checks.add(folder("temporary files", Path.of(System.getProperty("java.io.tmpdir"))));
        checks.add(folder("data sets", DataFolder.standard().path()));
        for (Path place : places == null ? List.<Path>of() : places) {
            checks.add(place(place));
        }
        common.print(
                checks,
                checks.stream()
                        .map(check -> String.format(
                                "%-7s %-16s %s", check.isWell ? "ok" : "WRONG", check.what, check.finding))
                        .collect(Collectors.joining("\n")));
        return checks.stream().allMatch(Check::isWell) ? ExitCode.OK : ExitCode.WRONG;
    }

    private static Check java() {
        int version = Runtime.version().feature();
        String found = "Java " + Runtime.version() + " on " + System.getProperty("os.name") + " "
                + System.getProperty("os.arch");
        return new Check(
                "Java",
                version >= OLDEST_JAVA,
                version >= OLDEST_JAVA ? found : found + "; Nescio needs Java " + OLDEST_JAVA + " or newer");
    }

    private static Check memory() {
        long heap = Runtime.getRuntime().maxMemory();
        long machine =
                ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                        ? system.getTotalMemorySize()
                        : 0;
        String found = String.format(
                Locale.ROOT,
                "%,d MiB for Java of %,d MiB; libtorch takes its own beside it",
                heap >> 20,
                machine >> 20);
        return heap >= SMALL_HEAP
                ? new Check("memory", true, found)
                : new Check("memory", false, found + "; NESCIO_JAVA_OPTS=-Xmx4g gives Java 4 GiB");
    }

    private static Check libraries() {
        try {
            Engine.start();
            return new Check("libraries", true, "libtorch " + Engine.version() + ", " + Engine.threads() + " cores");
        } catch (NescioException | LinkageError e) {
            return new Check("libraries", false, "libtorch cannot be used: " + e.getMessage());
        }
    }

    private static Check tables() {
        try {
            return new Check("tables", true, "DuckDB " + DuckDb.version());
        } catch (LinkageError | RuntimeException e) {
            return new Check("tables", false, "DuckDB cannot be used: " + Nearest.shortened("" + e.getMessage()));
        }
    }

    private static Check onnx() {
        try {
            return new Check("models", true, StateSource.of("onnx").version());
        } catch (LinkageError | RuntimeException e) {
            return new Check("models", false, "ONNX models cannot be run: " + Nearest.shortened("" + e.getMessage()));
        }
    }

    /** A folder that may have to be made: what counts is the nearest one that is there. A file is written there and removed. */
    private static Check folder(String what, Path wanted) {
        try {
            AtomicFile.requireWritable(wanted.toAbsolutePath().resolve("nescio"));
        } catch (NescioException e) {
            return new Check(what, false, e.getMessage());
        }
        Path there = wanted.toAbsolutePath();
        while (!Files.exists(there)) {
            there = Objects.requireNonNull(there.getParent());
        }
        try {
            long free = Files.getFileStore(there).getUsableSpace();
            String found = String.format(Locale.ROOT, "%s, %,d MiB free", wanted.toAbsolutePath(), free >> 20);
            return new Check(what, free >= SMALL_DISK, free >= SMALL_DISK ? found : found + ", which is little");
        } catch (IOException e) {
            return new Check(what, false, there + " cannot be looked at: " + e.getMessage());
        }
    }

    private static Check place(Path place) {
        try {
            if (!Files.exists(place)) {
                return new Check("file", false, place + " does not exist");
            }
            if (PackedLocation.isNamed(place.toString())) {
                return new Check("graph", true, place + ": " + packed(place));
            }
            boolean isStudy = Files.isRegularFile(place.resolve("results.duckdb"));
            return new Check(
                    isStudy ? "study" : "detector", true, place + ": " + (isStudy ? study(place) : detector(place)));
        } catch (NescioException e) {
            return new Check("file", false, String.valueOf(e.getMessage()));
        }
    }

    private static String study(Path place) {
        Store store = Store.open(place);
        return String.format(Locale.ROOT, "%,d results", store.rows().size())
                + store.purpose()
                        .map(purpose -> String.format(Locale.ROOT, " of %,d", purpose.cells()))
                        .orElse("")
                + "; " + store.origin();
    }

    /** Everything in it is read once, and every piece has a checksum. */
    private static String packed(Path place) {
        try (PackedGraph graph = PackedGraph.open(place)) {
            for (int from = 0; from < graph.nodes(); from += ROWS) {
                int count = Math.min(ROWS, graph.nodes() - from);
                graph.ids(from, count);
                graph.links(from, count);
                graph.features(from, count);
            }
            return String.format(
                    Locale.ROOT,
                    "%,d nodes with %,d features; all checksums are right",
                    graph.nodes(),
                    graph.features());
        }
    }

    private static String detector(Path place) {
        DetectorFile.Origin origin = DetectorFile.origin(place);
        String written =
                "; all checksums are right; format " + origin.format() + ", written by Nescio " + origin.nescio();
        if (EmbeddingDetectorFile.is(place)) {
            return "fitted on " + EmbeddingDetectorFile.read(place).detector().source() + written;
        }
        Detector detector = DetectorFile.read(place);
        return detector.options().architecture().name() + " for "
                + detector.classes().size() + " classes" + written;
    }
}
