// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.Graph;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.option.Option;
import dev.nescio.progress.Progress;
import dev.nescio.spark.LocalSpark;
import dev.nescio.study.Tuning;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever ends a driver, its journal is that of local tuning in the end. */
class SparkTuningTest {

    private static final String GRAPH = "blocks?nodes=80&features=4";
    private static final int TRAININGS = 8;

    @TempDir
    Path folder;

    private SparkSession session;

    @BeforeEach
    void start() {
        // Kryo knows no records by itself; a user may have chosen it.
        session = LocalSpark.start("spark.serializer", "org.apache.spark.serializer.KryoSerializer");
    }

    @AfterEach
    void stop() throws Exception {
        session.close();
    }

    private JavaSparkContext spark() {
        return JavaSparkContext.fromSparkContext(session.sparkContext());
    }

    private static Tuning tuning(Path journal) {
        return tuning(BuiltinGraphs.make(GRAPH), journal);
    }

    private static Tuning tuning(Graph graph, Path journal) {
        Map<Option<?>, List<String>> grid = new LinkedHashMap<>();
        grid.put(ModelOptions.HIDDEN, List.of("4", "8"));
        grid.put(ModelOptions.DROPOUT, List.of("0.2", "0.5"));
        DetectorOptions base = DetectorOptions.defaults()
                .withArchitecture("gcn")
                .with(DetectorOptions.HELD_OUT, 0.0)
                .with(TrainingOptions.EPOCHS, 5);
        return new Tuning(graph, List.of(graph.split("0"), graph.split("1")), base, grid, journal);
    }

    /** Lines, in whatever order trainings were done. */
    private static List<String> lines(Path journal) throws IOException {
        return Files.readAllLines(journal).stream().sorted().toList();
    }

    @Test
    void theJournalIsThatOfLocalTuning() throws Exception {
        Path local = folder.resolve("local.trials");
        Tuning expected = tuning(local);
        expected.run(Progress.NONE);
        Path journal = folder.resolve("cluster.trials");
        SparkTuning tuning = new SparkTuning(SparkTuningTest::tuning);
        Tuning found = tuning.run(journal, spark(), Progress.NONE);
        assertThat(lines(journal)).hasSize(1 + TRAININGS).isEqualTo(lines(local));
        assertThat(found.result()).isEqualTo(expected.result());
        assertThat(found.left()).isZero();

        List<String> whole = Files.readAllLines(journal);
        Files.writeString(
                journal,
                String.join("\n", whole.subList(0, 4)) + "\n" + whole.get(4).substring(0, 30));
        long[] asked = {0};
        tuning.run(journal, spark(), (done, all) -> asked[0] = all);
        assertThat(asked[0]).isEqualTo(TRAININGS - 3);
        assertThat(lines(journal)).containsAll(whole);
        tuning.run(journal, spark(), (done, all) -> asked[0] = -1);
        assertThat(asked[0]).isEqualTo(TRAININGS - 3);
    }

    @Test
    void aStoppedDriverLosesNothingThatWasTold() throws Exception {
        Path journal = folder.resolve("cluster.trials");
        SparkTuning tuning = new SparkTuning(SparkTuningTest::tuning);
        assertThatThrownBy(() -> tuning.run(journal, spark(), (done, all) -> {
                    if (done == 2) {
                        throw new IllegalStateException("stopped");
                    }
                }))
                .hasStackTraceContaining("stopped");
        assertThat(lines(journal)).hasSize(1 + 2);
        tuning.run(journal, spark(), Progress.NONE);
        Path local = folder.resolve("local.trials");
        tuning(local).run(Progress.NONE);
        assertThat(lines(journal)).isEqualTo(lines(local));
    }

    /** Every machine reads the graph from its own disk. */
    @Test
    void aGraphThatIsAnotherOneElsewhereIsRefused() {
        Graph driver = BuiltinGraphs.make(GRAPH);
        Path journal = folder.resolve("cluster.trials");
        String place = journal.toString();
        SparkTuning tuning = new SparkTuning(given -> given.toString().equals(place)
                ? tuning(given)
                : tuning(BuiltinGraphs.make("blocks?nodes=90&features=4"), given));
        assertThatThrownBy(() -> tuning.run(journal, spark(), Progress.NONE))
                .hasStackTraceContaining(driver.name())
                .hasStackTraceContaining(" or its options differ between machines: here is no trial '");
        assertThat(journal).doesNotExist();
    }

    /** A process of its own, killed while its third training runs. */
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void aKilledDriverGoesOnWhereItStopped() throws Exception {
        Path target = folder.resolve("gcn.args");
        Path journal = folder.resolve("gcn.args.trials");
        String[] command = {
            "tune",
            "builtin:" + GRAPH,
            "--model",
            "gcn",
            "--splits",
            "0-1",
            "--widths",
            "8,4",
            "--dropouts",
            "0.2,0.5",
            "--learning-rates",
            "0.01",
            "--weight-decays",
            "0",
            "--epochs",
            "5",
            "--out",
            target.toString()
        };
        String log = Driver.killed(folder, "training 1 of 8", command);
        List<String> told = lines(journal);
        assertThat(told).as(log).hasSizeBetween(1 + 1, 1 + 2);
        assertThat(target).doesNotExist();
        log = Driver.finished(folder, command);
        assertThat(lines(journal))
                .as(log)
                .hasSize(1 + TRAININGS)
                .containsAll(told)
                .doesNotHaveDuplicates();
        assertThat(target).as(log).isNotEmptyFile();
    }
}
