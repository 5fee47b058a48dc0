// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.detector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.detector.Decisions;
import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.EmbeddingDetector;
import dev.nescio.detector.ScoreTable;
import dev.nescio.detector.Scores;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Preprocessing;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.io.Sums;
import dev.nescio.io.array.ArrayFile;
import dev.nescio.io.array.Npy;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.graph.TableFiles;
import dev.nescio.io.graph.TableGraph;
import dev.nescio.io.graph.TableLayout;
import dev.nescio.io.score.CsvScores;
import dev.nescio.matrix.NdArray;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.problem.BadModelFile;
import dev.nescio.problem.NescioException;
import dev.nescio.progress.Progress;
import dev.nescio.random.Rng;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.Temperature;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

public class DetectorFileTest {

    private static final Graph GRAPH = BuiltinGraphs.make("blocks?nodes=60&features=6");
    private static final Detector DETECTOR = Detector.train(
            GRAPH,
            GRAPH.split("0"),
            DetectorOptions.defaults()
                    .withModel(ModelOptions.of(4, 2, 0.2, 1))
                    .withTraining(TrainingOptions.of(0.01, 0, 20, 20, 0))
                    .withPreprocessing(Preprocessing.of(false, Preprocessing.RowNorm.L2))
                    .withEstimators(
                            "jlde:k=3,energy=true,features=true",
                            "gebm",
                            "jlde-kde:features=true",
                            "jlde-mixture:features=true",
                            "ebm",
                            "mcd:passes=3",
                            "ensemble:members=2",
                            "jlde:states=0")
                    .with(DetectorOptions.CALIBRATE, Temperature.Fitting.TRUE)
                    .withLeftOut(Set.of(4)),
            TrainingListener.NONE);

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"model", "model.zip"})
    void loadsToTheSameScores(String name) {
        Path file = folder.resolve(name);
        DetectorFile.write(DETECTOR, file);
        Detector loaded = DetectorFile.read(file);

        assertThat(loaded.options()).isEqualTo(DETECTOR.options());
        assertThat(loaded.provenance()).isEqualTo(DETECTOR.provenance());
        Scores expected = DETECTOR.score(GRAPH);
        Scores got = loaded.score(GRAPH);
        expected.byEstimator().forEach((estimator, opinion) -> assertThat(
                        got.byEstimator().get(estimator).epistemic())
                .as(estimator)
                .containsExactly(opinion.epistemic()));
        assertThat(got.aleatoric()).containsExactly(expected.aleatoric());
    }

    @Test
    void theSameDetectorGivesTheSameBytes() {
        DetectorFile.write(DETECTOR, folder.resolve("a.zip"));
        DetectorFile.write(DETECTOR, folder.resolve("b.zip"));

        assertThat(folder.resolve("a.zip")).hasSameBinaryContentAs(folder.resolve("b.zip"));
    }

    @Test
    void replacesAnOlderDetectorAndLeavesNothingBehind() throws IOException {
        Path file = folder.resolve("model");
        DetectorFile.write(DETECTOR, file);
        DetectorFile.write(DETECTOR, file);

        try (var children = Files.list(folder)) {
            assertThat(children).containsExactly(file);
        }
    }

    @Test
    void leavesOtherFoldersAlone() throws IOException {
        Path precious = Files.createDirectory(folder.resolve("precious"));
        Files.writeString(precious.resolve("thesis.txt"), "irreplaceable");

        assertThatThrownBy(() -> DetectorFile.write(DETECTOR, precious))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage(precious + " exists and is not a saved detector; it is left alone");
        assertThat(precious.resolve("thesis.txt")).hasContent("irreplaceable");
    }

    /** A browser extension has a manifest.json too, and a zip may be a backup. */
    @Test
    void leavesThingsAloneThatOnlyLookLikeADetector() throws IOException {
        Path extension = Files.createDirectory(folder.resolve("extension"));
        Files.writeString(extension.resolve("manifest.json"), "{\"kind\": \"extension\"}");
        Path backup = folder.resolve("backup.zip");
        Npy.writeAll(backup, Map.of("x", NdArray.of(1)));
        Path mixed = folder.resolve("mixed");
        DetectorFile.write(DETECTOR, mixed);
        Files.writeString(mixed.resolve("notes.txt"), "mine");

        for (Path place : new Path[] {extension, backup, mixed}) {
            assertThatThrownBy(() -> DetectorFile.write(DETECTOR, place))
                    .isInstanceOf(BadConfiguration.class)
                    .hasMessage(place + " exists and is not a saved detector; it is left alone");
        }
        assertThat(extension.resolve("manifest.json")).exists();
        assertThat(mixed.resolve("notes.txt")).hasContent("mine");
    }

    @Test
    void saysWhatIsWrong() throws IOException {
        Path model = folder.resolve("model");
        assertThatThrownBy(() -> DetectorFile.read(model))
                .isInstanceOf(BadInput.class)
                .hasMessage(model + " does not exist");
        assertThatThrownBy(() -> DetectorFile.read(folder))
                .isInstanceOf(BadModelFile.class)
                .hasMessage(folder + " has no manifest.json");
        DetectorFile.write(DETECTOR, model);
        Path manifest = model.resolve("manifest.json");
        String good = Files.readString(manifest);

        Files.writeString(
                manifest, good.replace("\"format\" : 4", "\"format\" : 9").replace("\"development\"", "\"7.0\""));
        Sums.renew(model);
        assertThatThrownBy(() -> DetectorFile.read(model))
                .hasMessage(model
                        + " was written by Nescio 7.0 in format 9; this is Nescio development, which reads formats"
                        + " 1 to 4");

        Files.writeString(manifest, good.replace("\"temperature\"", "\"temperatur\""));
        Sums.renew(model);
        assertThatThrownBy(() -> DetectorFile.read(model))
                .isInstanceOf(BadModelFile.class)
                .hasMessageStartingWith(
                        model + ": manifest.json has an unknown key 'temperatur'; did you mean 'temperature'?");

        Files.writeString(manifest, good.replace("\"hidden\" : \"4\"", "\"hiden\" : \"4\""));
        Sums.renew(model);
        assertThatThrownBy(() -> DetectorFile.read(model))
                .isInstanceOf(BadModelFile.class)
                .hasMessageStartingWith(model + ": res-gcn has no option 'hiden'; did you mean 'hidden'?");

        Files.writeString(manifest, good.replace("\"hidden\" : \"4\"", "\"hidden\" : \"5\""));
        Sums.renew(model);
        assertThatThrownBy(() -> DetectorFile.read(model))
                .hasMessage(model + ": parameter 'input.weight' has shape [6, 4], but the network needs [6, 5] floats");

        Files.writeString(manifest, good.replace("\"architecture\" : \"res-gcn\"", "\"architecture\" : \"evil\""));
        Sums.renew(model);
        assertThatThrownBy(() -> DetectorFile.read(model))
                .isInstanceOf(BadModelFile.class)
                .hasMessageContaining("there is no model 'evil'");

        Files.writeString(manifest, good.substring(0, good.length() / 2));
        Sums.renew(model);
        assertThatThrownBy(() -> DetectorFile.read(model))
                .isInstanceOf(BadModelFile.class)
                .hasMessageMatching(Pattern.quote(model + ": manifest.json cannot be read: line ")
                        + "\\d+ is not what Nescio writes there");

        for (String nulled : List.of("model", "architecture", "classes", "shape", "estimators", "provenance")) {
            ObjectNode tree = (ObjectNode) JsonMapper.builder().build().readTree(good);
            Files.writeString(manifest, tree.putNull(nulled).toString());
            Sums.renew(model);
            assertThatThrownBy(() -> DetectorFile.read(model))
                    .isInstanceOf(BadModelFile.class)
                    .hasMessage(model + ": manifest.json says null for '" + nulled + "'");
        }
        for (String within : List.of("{\"hidden\": null}", "{\"hidden\": {\"a\": 1}}")) {
            ObjectNode tree = (ObjectNode) JsonMapper.builder().build().readTree(good);
            tree.set("model", JsonMapper.builder().build().readTree(within));
            Files.writeString(manifest, tree.toString());
            Sums.renew(model);
            assertThatThrownBy(() -> DetectorFile.read(model))
                    .isInstanceOf(BadModelFile.class)
                    .hasMessageStartingWith(model.toString())
                    .hasMessageNotContainingAny("null", "Exception", "Cannot", "\n");
        }

        Files.writeString(manifest, good);
        Sums.renew(model);
        Files.delete(model.resolve("estimator-jlde.safetensors"));
        assertThatThrownBy(() -> DetectorFile.read(model))
                .isInstanceOf(BadModelFile.class)
                .hasMessage(model + " has no estimator-jlde.safetensors");
    }

    @Test
    void damagedFilesAreRefusedCleanly() throws IOException {
        Path model = folder.resolve("model");
        DetectorFile.write(DETECTOR, model);
        Rng rng = new Rng(1);
        for (String part : new String[] {
            "parameters.safetensors", "estimator-jlde.safetensors", "estimator-gebm.safetensors", "manifest.json"
        }) {
            byte[] good = Files.readAllBytes(model.resolve(part));
            for (int i = 0; i < 400; i++) {
                byte[] bad = good.clone();
                for (int hits = rng.nextInt(3); hits >= 0; hits--) {
                    bad[rng.nextInt(Math.min(bad.length, 1500))] = (byte) rng.nextInt(256);
                }
                Files.write(model.resolve(part), bad);
                Sums.renew(model);
                try {
                    DetectorFile.read(model);
                } catch (NescioException expected) {
                    assertThat(expected.getMessage()).startsWith(model.toString());
                }
            }
            Files.write(model.resolve(part), good);
        }
        Sums.renew(model);
        assertThat(DetectorFile.read(model)).isNotNull();
    }

    /** A detector of format 1, kept since that format began: it must load for ever and score as it did. */
    @Test
    void theFirstFormatStillLoads() throws IOException {
        Path old = folder.resolve("old.zip");
        try (InputStream in = DetectorFileTest.class.getResourceAsStream("/detector-format-1.zip");
                InputStream scores = DetectorFileTest.class.getResourceAsStream("/detector-format-1.csv")) {
            Files.write(old, in.readAllBytes());
            String[] lines = new String(scores.readAllBytes(), StandardCharsets.UTF_8).split("\\R");
            Scores got = DetectorFile.read(old).score(GRAPH);
            for (int i = 0; i < got.nodes(); i++) {
                String[] cells = lines[i + 1].split(",");
                assertThat(got.predicted(i)).isEqualTo(cells[1]);
                double expected = Double.parseDouble(cells[4]);
                assertThat(got.epistemic()[i]).isCloseTo(expected, within(1e-4 * (1 + expected)));
            }
        }
    }

    /** Detectors that the last version of format 1 wrote, with every option that could be chosen then. */
    @ParameterizedTest
    @ValueSource(strings = {"trained", "gpn"})
    void formatOneScoresAsItDid(String name) throws IOException {
        Detector old = DetectorFile.read(formatOne(name + ".nescio"));

        assertSame(old.score(BuiltinGraphs.make("blocks?nodes=200")), formatOne(name + ".csv"));
    }

    /** The last format without checksums. */
    @Test
    void formatTwoScoresAsItDid() throws IOException {
        Detector old = DetectorFile.read(stored("/format-2/", "trained.nescio"));

        assertSame(old.score(BuiltinGraphs.make("blocks?nodes=200")), stored("/format-2/", "trained.csv"));
    }

    /** The last format without long tails, on tables. */
    @Test
    void formatThreeScoresAsItDid() throws IOException {
        Detector old = DetectorFile.read(stored("/format-3/", "trained.nescio"));
        Path tables = folder.resolve("tables");
        TableFiles.write(BuiltinGraphs.make("blocks?nodes=200"), tables);
        Graph graph = TableGraph.reader(TableLayout.defaults(), old.schema(), TableGraph.Listener.NONE)
                .tables(tables.resolve("nodes.csv"), tables.resolve("edges.csv"));

        assertSame(old.score(graph), stored("/format-3/", "trained.csv"));
    }

    @Test
    void embeddingsOfFormatOneScoreAsTheyDid() throws IOException {
        EmbeddingDetector old =
                EmbeddingDetectorFile.read(formatOne("fitted.nescio")).detector();
        List<String> states =
                List.of(formatOne("z0.npy").toString(), formatOne("z1.npy").toString());
        Evidence evidence = Evidence.of(ArrayFile.matrices(states), NodeSet.of())
                .withLogits(ArrayFile.matrix(formatOne("logits.npy").toString()));

        assertSame(old.score(evidence, NodeIds.numbered(evidence.nodes()), Progress.NONE), formatOne("fitted.csv"));
    }

    /** A detector without a newer option failed with a message of the JSON library. */
    @Test
    void optionsThatAnOlderVersionDidNotKnowHaveTheirDefault() throws IOException {
        Path model = folder.resolve("model");
        DetectorFile.write(DETECTOR, model);
        Path manifest = model.resolve("manifest.json");
        Files.writeString(
                manifest,
                Files.readString(manifest)
                        .replaceAll("\\s+\"multiplier\" : \"1\"", "")
                        .replaceAll("(\"dropout\" : \"0.2\"),", "$1"));
        Sums.renew(model);

        assertThat(DetectorFile.read(model).options()).isEqualTo(DETECTOR.options());
    }

    private Path formatOne(String name) throws IOException {
        return stored("/format-1/", name);
    }

    private Path stored(String place, String name) throws IOException {
        Path file = folder.resolve(name);
        try (InputStream in = DetectorFileTest.class.getResourceAsStream(place + name)) {
            Files.write(file, in.readAllBytes());
        }
        return file;
    }

    private static void assertSame(Scores scores, Path expected) throws IOException {
        StringWriter out = new StringWriter();
        CsvScores.write(ScoreTable.of(scores, Decisions.of(scores, Decisions.Wishes.NONE)), out);
        List<String> got = out.toString().lines().toList();
        List<String> lines = Files.readAllLines(expected);
        List<String> columns = List.of(got.get(0).split(","));
        String[] wanted = lines.get(0).split(",");
        assertThat(columns).contains(wanted);
        assertThat(got).hasSameSizeAs(lines);
        for (int i = 1; i < lines.size(); i++) {
            String[] cells = got.get(i).split(",", -1);
            String[] before = lines.get(i).split(",");
            for (int c = 0; c < before.length; c++) {
                // Training nodes were their own nearest neighbours, and had p-values.
                if (scores.isTraining(i - 1) && wanted[c].matches("epistemic(-jlde.*)?|p_value")) {
                    continue;
                }
                // Passes with dropout have drawn other masks since.
                if (wanted[c].equals("epistemic-mcd")) {
                    continue;
                }
                String cell = cells[columns.indexOf(wanted[c])];
                if (before[c].matches("-?[0-9.]+(E-?[0-9]+)?")) {
                    double value = Double.parseDouble(before[c]);
                    assertThat(Double.parseDouble(cell)).isCloseTo(value, within(1e-5 * (1 + Math.abs(value))));
                } else {
                    assertThat(cell).isEqualTo(before[c]);
                }
            }
        }
    }

    @Test
    void scoresAreATableWithIds() throws IOException {
        StringWriter out = new StringWriter();
        Scores scores = DETECTOR.score(GRAPH);
        CsvScores.write(ScoreTable.of(scores, Decisions.of(scores, Decisions.Wishes.NONE)), out);

        assertThat(out.toString().lines().limit(1))
                .containsExactly(
                        "node,role,predicted,probability,aleatoric,epistemic,epistemic-gebm,epistemic-jlde-kde,"
                                + "epistemic-jlde-mixture,epistemic-ebm,epistemic-mcd,epistemic-ensemble,epistemic-jlde:states=0,p_value");
        assertThat(out.toString().lines()).hasSize(61);
        assertThat(out.toString().lines().skip(60).findFirst().orElseThrow()).startsWith("59,");
    }

    @Test
    void anUnwritablePlaceIsNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "x");

        assertThatThrownBy(() -> AtomicFile.write(file.resolve("below"), "text"))
                .isInstanceOf(BadInput.class)
                .hasMessageStartingWith(file.resolve("below") + " cannot be written: ");
    }

    @Test
    void devicesAreNotReplaced() {
        assertThatThrownBy(() -> AtomicFile.write(folder, "text"))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage(folder + " is not a file that could be replaced");
    }

    @Test
    void aFailedWriteLeavesTheOldFile() throws IOException {
        Path file = Files.writeString(folder.resolve("scores.csv"), "old");

        assertThatThrownBy(() -> AtomicFile.write(file, out -> {
                    out.write(1);
                    throw new IOException("disk full");
                }))
                .hasMessage(file + " cannot be written: disk full");
        assertThat(file).hasContent("old");
        try (var children = Files.list(folder)) {
            assertThat(children).containsExactly(file);
        }
    }
}
