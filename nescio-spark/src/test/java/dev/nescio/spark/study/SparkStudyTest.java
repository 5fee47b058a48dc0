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
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SparkStudyTest {

    private static final String YAML = """
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
    private Map<Object, Object> found(String name) {
        Map<Object, Object> found = new HashMap<>();
        for (Row row : Store.open(folder.resolve(name)).rows()) {
            found.put(
                    row.cell(),
                    List.of(
                            row.measures(),
                            row.provenance().key(),
                            row.provenance().fingerprint()));
        }
        return found;
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
        new Runner(StudyFile.read(file.toString()), new DataFolder(folder), folder.resolve("local"))
                .run((done, all, share) -> {});
        assertThat(found("cluster")).hasSize(8).isEqualTo(found("local"));
    }
}
