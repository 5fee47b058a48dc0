// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.EmbeddingDetector;
import dev.nescio.detector.Scores;
import dev.nescio.graph.Fingerprint;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.io.array.Npy;
import dev.nescio.io.array.Safetensors;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.io.detector.EmbeddingDetectorFile;
import dev.nescio.io.detector.NetworkFile;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.graph.GraphFile;
import dev.nescio.matrix.NdArray;
import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.network.Architectures;
import dev.nescio.model.training.Trainer;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.problem.BadModelFile;
import dev.nescio.problem.NescioException;
import dev.nescio.progress.Progress;
import dev.nescio.surprise.Surprises;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.estimator.Estimators;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One bit of a file is wrong: it is refused, or what comes out is what would have come out anyway.
 * {@code -Dnescio.flips=1000} makes so many cases of each kind.
 */
class BitFlipsTest {

    private static final int CASES = Integer.getInteger("nescio.flips", 120);

    @TempDir
    static Path folder;

    private static Graph graph;
    private static Detector detector;

    @BeforeAll
    static void train() {
        graph = BuiltinGraphs.make("blocks?nodes=60&features=6");
        detector = Detector.train(
                graph,
                graph.split("0"),
                DetectorOptions.defaults()
                        .withModel(ModelOptions.of(4, 2, 0.5, 1))
                        .withTraining(TrainingOptions.of(0.01, 0, 3, 3, 0))
                        .withEstimators("jlde-relative", "jlde", "jlde-mixture", "gebm", "jlde-smoothed"),
                TrainingListener.NONE);
    }

    /** Flips one bit of some file after the other; counts how many were refused. */
    private static int refused(Path original, Function<Path, ?> result) throws IOException {
        List<Path> files;
        try (Stream<Path> tree = Files.walk(original)) {
            files = tree.filter(Files::isRegularFile).sorted().toList();
        }
        Object expected = result.apply(original);
        SplittableRandom random = new SplittableRandom(1);
        int refused = 0;
        for (int i = 0; i < CASES; i++) {
            Path file = files.get(random.nextInt(files.size()));
            byte[] whole = Files.readAllBytes(file);
            byte[] damaged = whole.clone();
            int place = random.nextInt(whole.length);
            int bit = random.nextInt(8);
            damaged[place] ^= (byte) (1 << bit);
            Files.write(file, damaged);
            try {
                assertThat(result.apply(original))
                        .as("%s with bit %d of byte %d flipped", file.getFileName(), bit, place)
                        .isEqualTo(expected);
            } catch (NescioException e) {
                refused++;
                assertThat(e.getMessage()).isNotBlank();
            } finally {
                Files.write(file, whole);
            }
        }
        return refused;
    }

    private static Object scores(Path place) {
        Scores scores = DetectorFile.read(place).score(graph);
        Map<String, List<String>> all = new LinkedHashMap<>();
        scores.byEstimator()
                .forEach((name, opinion) -> all.put(
                        name,
                        List.of(
                                Arrays.toString(opinion.epistemic()),
                                Arrays.toString(opinion.requirePrediction().aleatoric()),
                                Arrays.toString(opinion.requirePrediction().label()))));
        return List.of(all, scores.flagged(0.1).toArray().length, scores.classes());
    }

    @Test
    void inADetectorOfOneFile() throws IOException {
        Path file = folder.resolve("one.nescio");
        DetectorFile.write(detector, file);

        assertThat(refused(file, BitFlipsTest::scores)).isGreaterThan(CASES * 8 / 10);
    }

    @Test
    void inADetectorThatIsAFolder() throws IOException {
        Path place = folder.resolve("several");
        DetectorFile.write(detector, place);

        assertThat(refused(place, BitFlipsTest::scores)).isEqualTo(CASES);
    }

    /** Of a graph without labels; those of states of another network are of the same kind. */
    @Test
    void inADetectorWithoutLabels() throws IOException {
        Path file = folder.resolve("unlabelled.nescio");
        Surprises surprises = Surprises.fit(graph, 0);
        EmbeddingDetector fitted = EmbeddingDetector.fit(
                new EmbeddingDetector.Data(
                        surprises.of(graph), NodeSet.all(graph.nodes()), graph.labels(), graph.ids(), "test"),
                List.of(Estimators.surprise()),
                List.of());
        EmbeddingDetectorFile.write(new EmbeddingDetectorFile.Saved(fitted, null, surprises, null), file);

        assertThat(refused(file, BitFlipsTest::scoresWithoutLabels)).isGreaterThan(CASES * 8 / 10);
    }

    private static Object scoresWithoutLabels(Path place) {
        EmbeddingDetectorFile.Saved saved = EmbeddingDetectorFile.read(place);
        Evidence evidence = Objects.requireNonNull(saved.surprises()).of(graph);
        return Arrays.toString(
                saved.detector().score(evidence, graph.ids(), Progress.NONE).epistemic());
    }

    @Test
    void inAGraph() throws IOException {
        Path file = folder.resolve("graph.npz");
        Npy.writeAll(
                file,
                Map.of(
                        "node_features", new NdArray.Floats(new int[] {60, 3}, new float[180]),
                        "node_labels", NdArray.of(graph.labels()),
                        "edges", new NdArray.Ints(new int[] {3, 2}, new int[] {0, 1, 1, 2, 2, 3})));

        assertThat(refused(file, path -> Fingerprint.of(GraphFile.read(path)))).isGreaterThan(CASES / 4);
    }

    @Test
    void inANetworkThatAStudyLeftForLater() throws IOException {
        Path file = folder.resolve("network.safetensors");
        Architecture architecture = Architectures.named("res-gcn");
        Architecture.Shape shape = new Architecture.Shape(6, 5);
        NetworkFile.write(file, new Trainer.Result(detector.model(), 3, 2, 0.5, 1.25), 7.5);

        assertThat(refused(file, path -> {
                    NetworkFile.Saved saved = NetworkFile.read(
                            path, architecture, shape, detector.options().model());
                    Trainer.Result result = saved.result();
                    Map<String, String> text = new TreeMap<>();
                    result.model()
                            .parameters()
                            .forEach((name, array) ->
                                    text.put(name, Arrays.toString(((NdArray.Floats) array).values())));
                    return List.of(text, result.epochs(), result.bestEpoch(), result.validationLoss(), saved.seconds());
                }))
                .isGreaterThan(CASES * 8 / 10);
    }

    @Test
    void aFileThatIsMissingOrAddedIsNoticed() throws IOException {
        Path place = folder.resolve("changed");
        DetectorFile.write(detector, place);
        byte[] calibration = Files.readAllBytes(place.resolve("calibration.safetensors"));
        Files.delete(place.resolve("calibration.safetensors"));
        assertThatThrownBy(() -> DetectorFile.read(place))
                .isInstanceOf(BadModelFile.class)
                .hasMessage(place + " has no calibration.safetensors");
        Files.write(place.resolve("calibration.safetensors"), calibration);
        Files.delete(place.resolve("SHA256SUMS"));
        assertThatThrownBy(() -> DetectorFile.read(place)).hasMessage(place + " has no SHA256SUMS");
    }

    /** A number can be wrong from the start, with a checksum that is right. */
    @Test
    void numbersThatAreNotFiniteAreRefused() throws IOException {
        Path place = folder.resolve("infinite");
        DetectorFile.write(detector, place);
        Path estimator = place.resolve("estimator-jlde.safetensors");
        Map<String, NdArray> state = new LinkedHashMap<>(
                Safetensors.read(Files.newInputStream(estimator), "estimator", Files.size(estimator)));
        NdArray.Floats rows = (NdArray.Floats) state.values().stream()
                .filter(NdArray.Floats.class::isInstance)
                .findFirst()
                .orElseThrow();
        rows.values()[0] = Float.POSITIVE_INFINITY;
        AtomicFile.write(estimator, out -> Safetensors.write(out, state));
        Path manifest = place.resolve("manifest.json");
        Files.writeString(manifest, Files.readString(manifest).replace("\"format\" : 4", "\"format\" : 2"));
        Files.delete(place.resolve("SHA256SUMS"));

        assertThatThrownBy(() -> DetectorFile.read(place))
                .isInstanceOf(BadModelFile.class)
                .hasMessageContaining("Infinity, but all its numbers must be finite");
    }
}
