// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.io.data.DataFolder;
import dev.nescio.spark.LocalSpark;
import dev.nescio.study.Row;
import dev.nescio.study.Runner;
import dev.nescio.study.Store;
import dev.nescio.study.StudyFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever ends a driver or an executor, rows are those of the local runner. */
public class SparkStudyTest {

    /** Four groups, eight rows. */
    public static final String YAML = """
            splits: 2
            members: 2
            hidden: 4
            epochs: 3
            shifts: [clean, leave-out]
            data: ["builtin:blocks?nodes=60&features=4"]
            models:
              - {name: gcn, estimators: [jlde, ebm]}
            """;

    @TempDir
    Path folder;

    /** What was found out, without what depends on the clock. */
    public static Map<Object, Object> found(Path folder) {
        Map<Object, Object> found = new HashMap<>();
        for (Row row : Store.open(folder).rows()) {
            found.put(
                    row.cell(),
                    List.of(
                            row.measures(),
                            row.provenance().key(),
                            row.provenance().fingerprint()));
        }
        return found;
    }

    /** The same of the local runner. */
    public static Map<Object, Object> foundLocally(Path study, Path folder) {
        new Runner(StudyFile.read(study.toString()), new DataFolder(folder), folder).run((done, all, share) -> {});
        return found(folder);
    }

    @Test
    void aStoppedStudyGoesOnAndEndsWithTheRowsOfTheLocalRunner() throws Exception {
        Path file = Files.writeString(folder.resolve("study.yaml"), YAML);
        SparkStudy study = new SparkStudy(file.toString(), folder.toString());
        try (SparkSession session = LocalSpark.start()) {
            JavaSparkContext spark = JavaSparkContext.fromSparkContext(session.sparkContext());
            assertThatThrownBy(() -> study.run(folder.resolve("cluster"), spark, (done, all, share) -> {
                        if (done == 1) {
                            throw new IllegalStateException("stopped");
                        }
                    }))
                    .hasStackTraceContaining("stopped");
            assertThat(Store.open(folder.resolve("cluster")).rows()).isNotEmpty();
            List<Integer> left = new ArrayList<>();
            study.run(folder.resolve("cluster"), spark, (done, all, share) -> left.add(all));
            assertThat(left.get(0)).isBetween(1, 3);
        }
        assertThat(found(folder.resolve("cluster"))).hasSize(8).isEqualTo(foundLocally(file, folder.resolve("local")));
    }

    /** Two groups are done, or the second one nearly, and the third has begun. */
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void aKilledDriverGoesOnWhereItStopped() throws Exception {
        Path file = Files.writeString(folder.resolve("study.yaml"), YAML);
        Path results = folder.resolve("results");
        String log = Driver.killed(
                folder,
                "group 1 of 4",
                "study",
                file.toString(),
                "--data",
                folder.toString(),
                "--out",
                results.toString());
        assertThat(found(results)).as(log).hasSizeBetween(2, 4);
        try (SparkSession session = LocalSpark.start()) {
            List<Integer> left = new ArrayList<>();
            new SparkStudy(file.toString(), folder.toString())
                    .run(
                            results,
                            JavaSparkContext.fromSparkContext(session.sparkContext()),
                            (done, all, share) -> left.add(all));
            assertThat(left.get(0)).isBetween(2, 3);
        }
        assertThat(found(results)).isEqualTo(foundLocally(file, folder.resolve("local")));
    }

    /** Data sets may be large: a process reads them once, however many groups it runs. */
    @Test
    void aProcessReadsDataOnce() throws Exception {
        Path file = Files.writeString(folder.resolve("study.yaml"), YAML);
        byte[] text = Files.readAllBytes(file);
        Runner runner = SparkStudy.runner("a run", text, folder.toString());
        assertThat(SparkStudy.runner("a run", text, folder.toString())).isSameAs(runner);
        runner.in(folder.resolve("results")).run((done, all, share) -> {});
        assertThat(found(folder.resolve("results"))).isEqualTo(foundLocally(file, folder.resolve("local")));
    }
}
