// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.io.pack.PackedGraph;
import dev.nescio.study.Row;
import dev.nescio.study.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands that are killed between any two changes on disk: run again, they come to the same end, and what was there before is not
 * lost. {@code -Dnescio.crashes=1000} tries every moment, otherwise a few spread over the run.
 */
class CrashPointsTest {

    private static final int MOST = Integer.getInteger("nescio.crashes", 4);
    /** Whether every moment is tried, and longer runs have more of them. */
    private static final boolean ALL = MOST >= 1000;

    private static final int KILLED = 137;
    private static final String GRAPH = "builtin:blocks?nodes=60&features=4";

    @TempDir
    Path folder;

    /** Runs a command in a process of its own, which ends at a moment; 0 for never. */
    private int run(int moment, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-Dnescio.crash.at=" + moment,
                "-cp",
                System.getProperty("java.class.path"),
                "dev.nescio.cli.Nescio"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    @FunctionalInterface
    private interface Check {
        void check() throws IOException;
    }

    /** Kills a command at one moment after the other until it gets through; everything is checked each time. */
    private void survives(String[] command, Check afterKill, Check afterEnd) throws IOException, InterruptedException {
        survives(command, 3, afterKill, afterEnd);
    }

    /** @param usualStep moments from one kill to the next, unless every moment is tried */
    private void survives(String[] command, int usualStep, Check afterKill, Check afterEnd)
            throws IOException, InterruptedException {
        int step = ALL ? 1 : usualStep;
        int tried = 0;
        for (int moment = 1; tried < MOST; moment += step, tried++) {
            int exit = run(moment, command);
            if (exit == 0) {
                break;
            }
            assertThat(exit)
                    .as(
                            "%s killed at moment %d: %s",
                            Arrays.toString(command), moment, Files.readString(folder.resolve("log")))
                    .isEqualTo(KILLED);
            afterKill.check();
        }
        System.out.println(command[0] + ": killed at " + tried + " moments");
        assertThat(tried).as("kills of %s", command[0]).isPositive();
        makeOld();
        assertThat(run(0, command)).as(Files.readString(folder.resolve("log"))).isZero();
        afterEnd.check();
    }

    /** What was written within the last minute might be somebody else's. */
    private void makeOld() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".part")).toList()) {
                Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(120)));
            }
        }
    }

    private void scores(Path model) {
        Cli score = Cli.run(
                "score",
                model.toString(),
                GRAPH,
                "--out",
                folder.resolve("scores.csv").toString());
        assertThat(score.exit()).as(score.err()).isZero();
    }

    @Test
    void anOlderDetectorIsThereUntilTheNewOneIs() throws IOException, InterruptedException {
        for (String name : List.of("model", "model.nescio")) {
            Path model = folder.resolve(name);
            String[] train = {
                "train",
                GRAPH,
                "--hidden",
                "4",
                "--epochs",
                "2",
                "--estimator",
                ALL ? "jlde-relative,jlde,ebm,gebm" : "jlde-relative",
                "--out",
                model.toString()
            };
            assertThat(run(0, train)).isZero();
            survives(train, () -> scores(model), () -> scores(model));
        }
    }

    @Test
    void aDetectorOfStatesIsThereUntilTheNewOneIs() throws IOException, InterruptedException {
        StringBuilder rows = new StringBuilder("a,b\n");
        StringBuilder train = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            rows.append(i % 7).append(',').append(i % 5).append('\n');
            train.append(i < 20 ? i + "\n" : "");
        }
        Path states = Files.writeString(folder.resolve("states.csv"), rows);
        Path nodes = Files.writeString(folder.resolve("train.csv"), "node\n" + train);
        Path model = folder.resolve("fitted");
        String[] fit = {
            "fit", "--states", states.toString(), "--train", nodes.toString(), "--k", "3", "--out", model.toString()
        };
        Check scores = () -> {
            Cli score = Cli.run("score", model.toString(), "--states", states.toString());
            assertThat(score.exit()).as(score.err()).isZero();
        };
        assertThat(run(0, fit)).as(Files.readString(folder.resolve("log"))).isZero();
        survives(fit, scores, scores);
    }

    @Test
    void anOlderPackedGraphIsThereUntilTheNewOneIs() throws IOException, InterruptedException {
        Path nodes = Files.writeString(folder.resolve("nodes.csv"), "id,f,label\na,1,x\nb,2,y\nc,3,x\n");
        Path edges = Files.writeString(folder.resolve("edges.csv"), "from,to\na,b\nb,c\n");
        Path packed = folder.resolve("g.npk");
        String[] pack = {"pack", nodes.toString(), "--edges", edges.toString(), "--out", packed.toString()};
        assertThat(run(0, pack)).as(Files.readString(folder.resolve("log"))).isZero();
        Files.writeString(edges, "from,to\na,b\nb,c\nc,a\n");
        survives(pack, () -> assertEdges(packed, 4, 6), () -> {
            assertEdges(packed, 6, 6);
            assertNoHiddenFiles();
        });
    }

    /** Whatever moment it was killed at, the next run makes the same bytes and leaves nothing behind. */
    @Test
    void aPackedGraphIsFinishedByTheNextRun() throws IOException, InterruptedException {
        Path nodes = Files.writeString(folder.resolve("nodes.csv"), "id,f,label\na,1,x\nb,2,y\nc,3,x\nd,4,y\n");
        Path edges = Files.writeString(folder.resolve("edges.csv"), "from,to\na,c\nb,d\n");
        Path packed = folder.resolve("g.npk");
        String[] pack = {
            "pack", nodes.toString(), "--edges", edges.toString(), "--order", "communities", "--out", packed.toString()
        };
        assertThat(run(0, pack)).as(Files.readString(folder.resolve("log"))).isZero();
        byte[] right = Files.readAllBytes(packed);
        int step = ALL ? 1 : 11;
        int tried = 0;
        for (int moment = step; tried < MOST; moment += step, tried++) {
            Files.delete(packed);
            if (run(moment, pack) == 0) {
                break;
            }
            makeOld();
            assertThat(run(0, pack)).as(Files.readString(folder.resolve("log"))).isZero();
            assertThat(Files.readAllBytes(packed)).as("killed at %d", moment).isEqualTo(right);
            assertNoHiddenFiles();
        }
        System.out.println("pack --order communities: killed at " + tried + " moments");
        assertThat(tried).as("killed so often").isGreaterThan(2);
    }

    private void assertNoHiddenFiles() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith(".")))
                    .isEmpty();
        }
    }

    private static void assertEdges(Path packed, long before, long after) {
        try (PackedGraph graph = PackedGraph.open(packed)) {
            assertThat(graph.links(0, 3).neighbours().length).isIn((int) before, (int) after);
        }
    }

    @Test
    void aDetectorWithoutLabelsIsThereUntilTheNewOneIs() throws IOException, InterruptedException {
        Path model = folder.resolve("unlabelled.nescio");
        String[] fit = {"fit", GRAPH, "--out", model.toString()};
        assertThat(run(0, fit)).as(Files.readString(folder.resolve("log"))).isZero();
        survives(fit, () -> scores(model), () -> scores(model));
    }

    @Test
    void trialsAreKept() throws IOException, InterruptedException {
        Path args = folder.resolve("best.args");
        String[] tune = {
            "tune",
            GRAPH,
            "--splits",
            "0",
            "--widths",
            "4",
            "--epochs",
            "2",
            "--dropouts",
            ALL ? "0.2,0.5,0.8" : "0.2",
            "--out",
            args.toString()
        };
        Path journal = folder.resolve("best.args.trials");
        int[] before = {0};
        survives(
                tune,
                () -> {
                    int now = Files.exists(journal) ? whole(journal) : 0;
                    assertThat(now).isGreaterThanOrEqualTo(before[0]);
                    before[0] = now;
                },
                () -> assertThat(whole(journal)).isEqualTo(ALL ? 12 : 4));
        assertThat(Files.readString(args)).contains("--hidden 4");
    }

    private static int whole(Path journal) throws IOException {
        try (Stream<String> lines = Files.lines(journal)) {
            return (int) lines.filter(line -> line.split("\t").length == 6).count();
        }
    }

    @Test
    void aStudyGoesOn() throws IOException, InterruptedException {
        Path yaml = Files.writeString(folder.resolve("study.yaml"), """
                splits: 2
                hidden: 4
                epochs: 3
                members: 2
                shifts: [clean, far]
                data: ["builtin:blocks?nodes=60&features=4"]
                models:
                  - {name: res-gcn, estimators: [jlde, ensemble]}
                """);
        Path results = folder.resolve("results");
        String[] study = {"study", "run", yaml.toString(), "--out", results.toString(), "--threads", "1"};
        Set<Row> before = new HashSet<>();
        Check kept = () -> {
            List<Row> now = Files.exists(results.resolve("results.duckdb"))
                    ? Store.open(results).rows()
                    : List.of();
            // What was stored is there, with the times that its first trainings took.
            assertThat(now).containsAll(before);
            before.addAll(now);
        };
        survives(study, 27, kept, () -> {
            assertThat(before).as("rows that were there before the last run").isNotEmpty();
            assertThat(Store.open(results).rows()).hasSize(8).containsAll(before);
            try (Stream<Path> files = Files.list(results.resolve("networks"))) {
                assertThat(files).isEmpty();
            }
        });
    }
}
