// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A training that is interrupted or terminated ends with the usual exit code and without a crash. {@code -Dnescio.signals=200} tries often. */
class SignalsTest {

    private static final int TIMES = Integer.getInteger("nescio.signals", 4);

    @TempDir
    Path folder;

    @Test
    void endsAsAskedFor() throws IOException, InterruptedException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "skipped: signals are sent by 'kill'");
        Random random = new Random(1);
        for (int i = 0; i < TIMES; i++) {
            boolean interrupts = i % 2 == 0 && !ignoresInterrupts();
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:ErrorFile=" + folder.resolve("hs_err_%p.log"),
                            "-cp",
                            System.getProperty("java.class.path"),
                            "dev.nescio.cli.Nescio",
                            "train",
                            "builtin:blocks",
                            "--patience",
                            "10000",
                            "--out",
                            folder.resolve("model").toString())
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("log").toFile())
                    .start();
            process.waitFor(900 + random.nextInt(2500), TimeUnit.MILLISECONDS);
            new ProcessBuilder("kill", interrupts ? "-INT" : "-TERM", "" + process.pid())
                    .start()
                    .waitFor();

            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue())
                    .as(Files.readString(folder.resolve("log")))
                    .isEqualTo(interrupts ? 130 : 143);
            try (Stream<Path> files = Files.list(folder)) {
                assertThat(files.map(file -> file.getFileName().toString()))
                        .noneMatch(name -> name.startsWith("hs_err") || name.startsWith("core"));
            }
        }
    }

    /** Whoever is started in the background by a shell without job control ignores interrupts, and so do its children. */
    private static boolean ignoresInterrupts() throws IOException {
        String mask = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .findFirst()
                .orElse("SigIgn: 0");
        return (Long.parseUnsignedLong(mask.replaceFirst("SigIgn:\\s*", "").strip(), 16) & 2) != 0;
    }
}
