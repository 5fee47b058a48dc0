// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.study;

import dev.nescio.io.data.DataFolder;
import dev.nescio.io.file.WorkFolder;
import dev.nescio.spark.broadcast.OnePerProcess;
import dev.nescio.study.Runner;
import dev.nescio.study.StudyFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Runs a study on a cluster: every group is a task of one core, and the driver alone writes to the store, a group at a time. A machine that
 * is lost costs the groups that were under way there; a driver that is killed goes on where it stopped. Rows are those of the local runner.
 *
 * @param file of the study, on the driver; settings that it names by path must lie at the same place on every machine
 * @param data folder of the data sets, at the same place on every machine; built-in graphs need none
 */
public record SparkStudy(String file, String data) implements Serializable {

    /** A process reads the data sets of a study once, for all of its tasks. */
    private static final OnePerProcess<Runner> RUNNERS = new OnePerProcess<>(1);

    /** Runs what is left of the study into a folder of the driver, which may be one of the local runner. */
    public void run(Path folder, JavaSparkContext spark, Runner.Listener listener) {
        byte[] text = text();
        String key = UUID.randomUUID().toString();
        String place = data;
        new Runner(StudyFile.read(file), new DataFolder(Path.of(data)), folder)
                .run(
                        (groups, found) -> Tasks.run(
                                groups,
                                group -> results(runner(key, text, place), group),
                                byte[].class,
                                (group, results) -> take(results, found),
                                spark),
                        listener);
    }

    private byte[] text() {
        try {
            return StudyFile.builtin().contains(file)
                    ? StudyFile.text(file).getBytes(StandardCharsets.UTF_8)
                    : Files.readAllBytes(Path.of(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Runner runner(String key, byte[] study, String data) {
        return RUNNERS.get(
                key,
                () -> inFolder(folder -> {
                    Path file = Files.write(folder.resolve("study.yaml"), study);
                    return new Runner(StudyFile.read(file.toString()), new DataFolder(Path.of(data)), folder);
                }));
    }

    /** Runs a group on some machine and packs the store that it wrote. */
    private static byte[] results(Runner runner, String group) {
        return inFolder(folder -> {
            runner.in(folder).runOne(group);
            return packed(folder);
        });
    }

    /** Takes what a group has found out, on the driver. */
    private static void take(byte[] results, Consumer<Path> found) {
        inFolder(folder -> {
            unpack(results, folder);
            found.accept(folder);
            return true;
        });
    }

    @FunctionalInterface
    private interface Body<R> {
        R apply(Path folder) throws IOException;
    }

    private static <R> R inFolder(Body<R> body) {
        try (WorkFolder work = WorkFolder.temporary("study")) {
            return body.apply(work.path());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] packed(Path folder) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes);
                Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                zip.putNextEntry(new ZipEntry(file.getFileName().toString()));
                Files.copy(file, zip);
            }
        }
        return bytes.toByteArray();
    }

    private static void unpack(byte[] bytes, Path folder) throws IOException {
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Files.copy(zip, folder.resolve(Path.of(entry.getName()).getFileName()));
            }
        }
    }
}
