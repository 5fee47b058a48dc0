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
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> all = Files.list(home)) {
            for (Path file : all.toList()) {
                files.put(file.getFileName().toString(), Files.readAllBytes(file));
            }
        }
        return files;
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

        assertThat(there.keySet()).isEqualTo(here.keySet()).hasSize(3);
        here.forEach((name, bytes) -> assertThat(there.get(name)).as(name).isEqualTo(bytes));
    }
}
