// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.study;

import dev.nescio.spark.NescioSpark;
import dev.nescio.spark.StoppedTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A driver in a process of its own that is killed while its third task runs. */
final class Driver {

    private static final int TASKS_DONE = 2;

    private Driver() {}

    /**
     * Runs a command of {@code spark-submit} on one core and kills it.
     *
     * @param said what it has to say before
     * @return all that it has said
     */
    static String killed(Path folder, String said, String... command) throws Exception {
        Path log = folder.resolve("log");
        StoppedTask.arm(folder);
        Process driver = start(StoppedTask.settings(folder, TASKS_DONE), log, List.of(command));
        try {
            StoppedTask.killWhenStopped(folder, () -> read(log).contains(said));
        } catch (IllegalStateException e) {
            throw new IllegalStateException(read(log), e);
        } finally {
            driver.destroyForcibly().waitFor();
        }
        return read(log);
    }

    /** Runs a command to its end; returns all that it has said. */
    static String finished(Path folder, String... command) throws Exception {
        Path log = folder.resolve("second.log");
        int code = start(Map.of(), log, List.of(command)).waitFor();
        if (code != 0) {
            throw new IllegalStateException("exit code " + code + ": " + read(log));
        }
        return read(log);
    }

    private static String read(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Process start(Map<String, String> settings, Path log, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("-X") || argument.startsWith("--add"))
                .forEach(command::add);
        settings.forEach((name, value) -> command.add("-D" + name + "=" + value));
        command.addAll(List.of(
                "-Dspark.master=local[1]",
                "-Dspark.ui.enabled=false",
                "-Dspark.driver.host=127.0.0.1",
                "-Dspark.driver.bindAddress=127.0.0.1",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                NescioSpark.class.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }
}
