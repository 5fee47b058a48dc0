// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.io.array.Npy;
import dev.nescio.matrix.NdArray;
import dev.nescio.problem.BadInput;
import dev.nescio.study.Cell;
import dev.nescio.study.Row;
import dev.nescio.study.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StudyCommandTest {

    private static final String YAML = """
            name: tiny
            splits: 3
            members: 2
            passes: 3
            hidden: 8
            epochs: 60
            shifts: [clean, leave-out, far]
            data: ["builtin:blocks?nodes=300&features=8", "builtin:moons?nodes=60&homophily=0.5"]
            models:
              - {name: res-gcn, estimators: [jlde, ensemble, gebm, ebm], data: ["builtin:blocks*"]}
              - {name: fagcn, estimators: [ebm], data: ["builtin:blocks*"]}
              - {name: res-gcn, estimators: [jlde, gebm], shifts: [leave-out], data: ["builtin:moons*"]}
            """;

    @TempDir
    Path folder;

    private String yaml() throws IOException {
        Path file = folder.resolve("tiny.yaml");
        Files.writeString(file, YAML);
        return file.toString();
    }

    /** By cell, without what depends on the clock. */
    private static Map<String, Object> results(Path folder) {
        Map<String, Object> results = new TreeMap<>();
        for (Row row : Store.open(folder).rows()) {
            Cell cell = row.cell();
            results.put(
                    cell.toString(), List.of(row.measures(), row.provenance().seed()));
        }
        return results;
    }

    @Test
    void runsReportsAndExports() throws IOException {
        Path out = folder.resolve("out");
        Cli dry = Cli.run("study", "run", yaml(), "--out", out.toString(), "--dry-run", "--json");
        assertThat(dry.exit()).isZero();
        assertThat(dry.out()).contains("\"cells\" : 51", "\"trainings\" : 21");
        assertThat(Cli.run("study", "run", yaml(), "--out", out.toString()).out())
                .contains("51 rows");
        assertThat(Cli.run("study", "status", out.toString()).out())
                .containsPattern("results +fagcn +res-gcn\\R")
                .containsPattern("nodes=300&features=8 +9 +36\\R");
        assertThat(Cli.run("report", out.toString()).exit()).isZero();
        assertThat(out.resolve("report/report.html")).content().contains("homophily that the generator was asked for");
        Path csv = folder.resolve("rows.csv");
        assertThat(Cli.run("study", "export", out.toString(), csv.toString()).exit())
                .isZero();
        assertThat(Files.readAllLines(csv)).hasSize(52);
        Path copy = folder.resolve("copy");
        assertThat(Cli.run("study", "import", copy.toString(), csv.toString()).out())
                .contains("51 rows added, 0 were there already");
        assertThat(results(copy)).isEqualTo(results(out));
        assertThat(Cli.run("study", "run", yaml(), "--out", copy.toString(), "--dry-run", "--json")
                        .out())
                .contains("\"cells\" : 0");
        assertThat(Cli.run("study", "show", "smoke").out()).contains("name: smoke");
    }

    /** A process of its own, killed as soon as it has written something. */
    @Test
    void killedItGoesOnAsIfNothingHadHappened() throws IOException, InterruptedException {
        Path whole = folder.resolve("whole");
        assertThat(Cli.run("study", "run", yaml(), "--out", whole.toString(), "--threads", "1")
                        .exit())
                .isZero();
        Path killed = folder.resolve("killed");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.nescio.cli.Nescio",
                        "study",
                        "run",
                        yaml(),
                        "--out",
                        killed.toString(),
                        "--threads",
                        "1")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("killed.log").toFile())
                .start();
        long patience = System.nanoTime() + 120_000_000_000L;
        while (process.isAlive() && System.nanoTime() < patience && rowsSoFar(killed) == 0) {
            Thread.sleep(20);
        }
        process.destroyForcibly().waitFor();
        int before = rowsSoFar(killed);
        assertThat(Cli.run("study", "run", yaml(), "--out", killed.toString(), "--threads", "1")
                        .exit())
                .isZero();

        assertThat(before).isPositive();
        assertThat(results(killed)).isEqualTo(results(whole));
    }

    private static int rowsSoFar(Path folder) {
        try {
            return Store.open(folder).rows().size();
        } catch (BadInput e) {
            // Nothing is there yet.
            return 0;
        }
    }

    @Test
    void anyFileCanBeHeldAgainstWhatIsPublished() {
        Path file = folder.resolve("downloaded.npz");
        Npy.writeAll(
                file,
                Map.of(
                        "node_features", new NdArray.Floats(new int[] {2, 1}, new float[] {1, 2}),
                        "node_labels", NdArray.of(0, 1),
                        "edges", new NdArray.Ints(new int[] {1, 2}, new int[] {0, 1})));
        Cli other = Cli.run("data", "verify", file.toString());
        Cli missing = Cli.run("data", "verify", folder.resolve("none.npz").toString());

        assertThat(other.exit()).isEqualTo(2);
        assertThat(other.out()).contains("downloaded.npz", "none of the data sets", "2 nodes, 2 directed edges");
        assertThat(missing.exit()).isEqualTo(2);
        assertThat(missing.err()).contains("none.npz");
    }

    @Test
    void mistakesAreSaid() throws IOException {
        assertThat(Cli.run("study", "run", "nothing.yaml", "--out", folder.toString())
                        .exit())
                .isEqualTo(2);
        assertThat(Cli.run("study", "status", folder.toString()).err()).contains("holds no study");
        assertThat(Cli.run("report", folder.toString()).exit()).isEqualTo(2);
        assertThat(Cli.run("data", "pull", "cora").err()).contains("there is no data set 'cora'");
        assertThat(Cli.run("data", "verify", "--data", folder.toString()).err()).contains("no data sets");
        assertThat(Cli.run("inspect", "data:cora").exit()).isEqualTo(2);
    }
}
