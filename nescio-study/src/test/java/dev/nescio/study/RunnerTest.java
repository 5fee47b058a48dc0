// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.Evaluation;
import dev.nescio.graph.Graph;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.io.data.DataFolder;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadModelFile;
import dev.nescio.shift.Shifts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunnerTest {

    private static final String YAML = """
            splits: 2
            initialisations: 2
            members: 3
            passes: 4
            hidden: 8
            epochs: 12
            shifts: [clean, leave-out, near, far]
            data: ["builtin:blocks?nodes=120&features=8"]
            models:
              - {name: res-gcn, estimators: [jlde, ensemble, mcd, ebm, "jlde:states=-1"]}
              - {name: gpn, estimators: [evidential]}
            """;

    @TempDir
    Path folder;

    private Runner runner(String yaml, String name) {
        return new Runner(StudyFile.parse(yaml, "study"), new DataFolder(folder), folder.resolve(name));
    }

    /** Rows without what depends on the clock. */
    private List<Row> rows(String name) {
        return Store.open(folder.resolve(name)).rows().stream()
                .map(row -> new Row(
                        row.cell(),
                        row.measures(),
                        new Row.Provenance(
                                0,
                                0,
                                0,
                                row.provenance().epochs(),
                                row.provenance().validationAccuracy(),
                                row.provenance().seed(),
                                row.provenance().key(),
                                row.provenance().fingerprint(),
                                row.provenance().version())))
                .toList();
    }

    @Test
    void everyCellIsRunOnceAndStoppedStudiesGoOn() {
        runner(YAML, "whole").run((done, all, share) -> {});
        Runner stopped = runner(YAML, "stopped");
        assertThatThrownBy(() -> stopped.run((done, all, share) -> {
                    if (done == 1) {
                        throw new IllegalStateException("killed");
                    }
                }))
                .hasMessage("killed");
        int before = rows("stopped").size();
        runner(YAML, "stopped").run((done, all, share) -> {});

        // Per split and shift: two networks for four estimators of one model and one of the other, and an ensemble.
        assertThat(rows("whole")).hasSize(2 * 4 * (2 * 5 + 1));
        assertThat(new HashSet<>(rows("whole").stream().map(Row::cell).toList()))
                .hasSize(88);
        assertThat(before).isBetween(1, 87);
        assertThat(rows("stopped")).isEqualTo(rows("whole"));
        assertThat(runner(YAML, "stopped").plan()).isEqualTo(new Runner.Plan(0, 0, 0, 88, 0));
        assertThat(folder.resolve("stopped/networks")).isEmptyDirectory();
    }

    @Test
    void otherOptionsAreRunAgain() {
        String small = YAML.replace("[clean, leave-out, near, far]", "[far]");
        runner(small, "changed").run((done, all, share) -> {});
        Runner.Plan plan =
                runner(small.replace("epochs: 12", "epochs: 11"), "changed").plan();

        assertThat(plan.cells()).isEqualTo(22);
        assertThat(plan.stale()).isEqualTo(22);
        assertThat(runner(small.replace("[far]", "[far, near]"), "changed")
                        .plan()
                        .cells())
                .isEqualTo(22);
    }

    /** Tables take all splits of a line together: those of an older way must not be among them. */
    @Test
    void rowsMadeInAnotherWayAreReplacedAlsoWhereNothingNewComes() {
        String small = YAML.replace("[clean, leave-out, near, far]", "[far]");
        runner(small, "mixed").run((done, all, share) -> {});
        runner(small.replace("epochs: 12", "epochs: 11").replace("splits: 2", "splits: 1"), "mixed")
                .run((done, all, share) -> {});

        assertThat(rows("mixed"))
                .hasSize(11)
                .allMatch(row -> row.provenance().key().toString().contains("training.epochs=11"));
        assertThat(Store.open(folder.resolve("mixed")).purpose())
                .contains(new Store.Purpose(
                        "study: networks of width 8, at most 11 epochs with patience 200, 2 initialisations per split,"
                                + " ensembles of 3, 4 random passes, seed 0",
                        11));
    }

    @Test
    void aDryRunLeavesNothingBehind() {
        assertThat(runner(YAML, "dry").plan().cells()).isEqualTo(88);
        assertThat(folder.resolve("dry")).doesNotExist();
    }

    /** A cell is what the command 'evaluate' would find. */
    @Test
    void leavesOutClassesAsADetectorDoes() {
        runner(YAML, "whole").run((done, all, share) -> {});
        Graph graph = BuiltinGraphs.make("blocks?nodes=120&features=8");
        DetectorOptions options = DetectorOptions.defaults()
                .withEstimators("jlde")
                .with(DetectorOptions.HELD_OUT, 0.0)
                .withModel(ModelOptions.of(8, 2, 0.5, 1))
                .withTraining(TrainingOptions.of(1e-3, 1e-4, 12, 200, 1))
                .withLeftOut(Set.of(4));
        Detector detector = Detector.train(graph, graph.split("1"), options, TrainingListener.NONE);
        Evaluation expected = Evaluation.of(detector, detector.score(graph), graph, graph.split("1"));
        Row row = rows("whole").stream()
                .filter(r -> r.cell()
                        .equals(new Cell(
                                "builtin:blocks?nodes=120&features=8", "res-gcn", "jlde", Shifts.LEAVE_OUT, "1", 0)))
                .findFirst()
                .orElseThrow();

        assertThat(row.get("auc_roc")).isCloseTo(expected.quality().aucEpistemic(), within(1e-6));
        assertThat(row.get("aleatoric_auc_roc")).isCloseTo(expected.quality().aucAleatoric(), within(1e-6));
        assertThat(row.get("accuracy")).isCloseTo(expected.quality().accuracy(), within(1e-12));
    }

    @Test
    void droppingLeftOutNodesIsAnotherStudy() {
        String only = YAML.replace("[clean, leave-out, near, far]", "[leave-out]");
        runner(only, "kept").run((done, all, share) -> {});
        runner("drop-left-out: true\n" + only, "dropped").run((done, all, share) -> {});

        assertThat(rows("dropped")).hasSameSizeAs(rows("kept"));
        assertThat(rows("dropped").get(0).measures())
                .isNotEqualTo(rows("kept").get(0).measures());
    }

    @Test
    void whatCannotBeRunIsRefusedBeforeAnythingIsTrained() {
        assertThatThrownBy(() -> runner(YAML.replace("gpn", "gprgnn"), "wrong"))
                .isInstanceOf(BadConfiguration.class)
                .hasMessageContaining("gprgnn does not provide that");
        assertThatThrownBy(() -> runner(YAML.replace("builtin:blocks?nodes=120&features=8", "cora_ml"), "missing"))
                .isInstanceOf(BadConfiguration.class)
                .hasMessageContaining("nescio data pull cora_ml");
    }

    /** Files of older versions; one that is damaged means another training, not a study that never starts. */
    @Test
    void theTimeOfAnOlderTrainingIsReadOrTheTrainingRepeated() throws IOException {
        Path time = folder.resolve("a.seconds");
        assertThat(GroupRun.seconds(Files.writeString(time, "1.5"))).isEqualTo(1.5);
        for (byte[] damaged :
                List.of(new byte[] {'1', (byte) 0xff}, "1x5".getBytes(), "-1".getBytes(), "NaN".getBytes())) {
            Files.write(time, damaged);
            assertThatThrownBy(() -> GroupRun.seconds(time))
                    .isInstanceOf(BadModelFile.class)
                    .hasMessage(time + " is no time");
        }
        Files.delete(time);
        assertThatThrownBy(() -> GroupRun.seconds(time)).isInstanceOf(BadModelFile.class);
    }

    /** A learning rate from a file that makes the loss overflow. */
    @Test
    void aTrainingThatDivergesLeavesARowWithoutNumbers() throws IOException {
        Path settings = folder.resolve("wild.args");
        Files.writeString(settings, "# made up\n--learning-rate 1e30\n--normalise none\n");
        String yaml = YAML.replace("[clean, leave-out, near, far]", "[far]")
                .replace("{name: gpn, estimators: [evidential]}", "")
                .replace("  - \n", "")
                .replace("\"jlde:states=-1\"]}", "\"jlde:states=-1\"], settings: \"" + settings + "\"}");
        runner(yaml, "wild").run((done, all, share) -> {});

        assertThat(rows("wild")).hasSize(2 * 9).allMatch(row -> Double.isNaN(row.get("auc_roc")));
        assertThat(runner(yaml, "wild").plan().cells()).isZero();
    }
}
