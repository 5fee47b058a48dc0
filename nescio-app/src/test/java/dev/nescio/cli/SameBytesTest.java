// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same commands write the same bytes in any country. */
class SameBytesTest {

    private static final String GRAPH = "builtin:blocks?nodes=300";

    @TempDir
    Path folder;

    private void run(Path home, List<String> settings, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp"));
        command.add(System.getProperty("java.class.path"));
        command.addAll(settings);
        command.add("dev.nescio.cli.Nescio");
        command.addAll(List.of(arguments));
        Path log = folder.resolve("log");
        Process process = new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(log)).isZero();
    }

    private Map<String, byte[]> files(String name, String... settings) throws IOException, InterruptedException {
        Path home = Files.createDirectories(folder.resolve(name));
        List<String> java = List.of(settings);
        run(
                home,
                java,
                "train",
                GRAPH,
                "--epochs",
                "15",
                "--hidden",
                "16",
                "--estimator",
                "jlde-relative,jlde,gebm,mcd",
                "--out",
                "model.nescio");
        run(home, java, "score", "model.nescio", GRAPH, "--alpha", "0.1", "--out", "scores.csv");
        run(home, java, "explain", "model.nescio", GRAPH, "--node", "7", "--out", "why.html");
        // Tables, figures and a page; all from the same results, which hold times.
        run(
                home,
                java,
                "report",
                results().toString(),
                "--out",
                home.resolve("report").toString());
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(home)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(home.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return files;
    }

    private Path results() throws IOException {
        Path results = folder.resolve("results");
        if (!Files.exists(results)) {
            Path yaml = Files.writeString(folder.resolve("study.yaml"), """
                    hidden: 4
                    epochs: 3
                    shifts: [clean, leave-out, far]
                    data: ["builtin:blocks?nodes=120&features=4"]
                    models:
                      - {name: res-gcn, estimators: [jlde, ebm]}
                    """);
            Cli study = Cli.run("study", "run", yaml.toString(), "--out", results.toString());
            assertThat(study.exit()).as(study.err()).isZero();
        }
        return results;
    }

    @Test
    void inAnyCountry() throws IOException, InterruptedException {
        Map<String, byte[]> here = files("here", "-Duser.language=en", "-Duser.timezone=UTC");
        Map<String, byte[]> there = files(
                "there",
                "-Duser.language=ar",
                "-Duser.country=EG",
                "-Duser.timezone=Asia/Kolkata",
                "-Dfile.encoding=ISO-8859-1");

        Map<String, byte[]> elsewhere =
                files("elsewhere", "-Duser.language=th", "-Duser.country=TH", "-Duser.variant=TH");

        assertThat(here.keySet()).contains("model.nescio", "scores.csv", "why.html", "report/report.html");
        assertThat(here.keySet()).anyMatch(name -> name.endsWith(".svg"));
        for (Map<String, byte[]> other : List.of(there, elsewhere)) {
            assertThat(other.keySet()).isEqualTo(here.keySet());
            here.forEach((name, bytes) -> assertThat(other.get(name)).as(name).isEqualTo(bytes));
        }
    }
}
