// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.study;

import dev.nescio.io.data.DataFolder;
import dev.nescio.io.file.WorkFolder;
import dev.nescio.spark.broadcast.OneCore;
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
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * Runs a study on a cluster: every group is a task of one core, and the driver alone writes to the store, a group at a time. A machine that
 * is lost costs the groups that were under way there; a driver that is killed goes on where it stopped. Rows are those of the local runner.
 *
 * @param file of the study, on the driver; settings that it names by path must lie at the same place on every machine
 * @param data folder of the data sets, at the same place on every machine; built-in graphs need none
 */
public record SparkStudy(String file, String data) implements Serializable {

    /** Runs what is left of the study into a folder of the driver, which may be one of the local runner. */
    public void run(Path folder, JavaSparkContext spark, Runner.Listener listener) {
        new Runner(StudyFile.read(file), new DataFolder(Path.of(data)), folder)
                .run((groups, found) -> run(groups, found, spark), listener);
    }

    private void run(List<String> groups, Consumer<Path> found, JavaSparkContext spark) {
        if (groups.isEmpty()) {
            return;
        }
        byte[] text = text();
        RDD<String> tasks = spark.parallelize(groups, groups.size()).rdd();
        Found handler = new Found(found);
        try {
            spark.sc()
                    .runJob(
                            tasks,
                            new GroupTask(text, data),
                            CollectionConverters.asScala(IntStream.range(0, groups.size())
                                            .<Object>mapToObj(i -> i)
                                            .toList())
                                    .toSeq(),
                            handler,
                            ClassTag$.MODULE$.<byte[]>apply(byte[].class));
        } finally {
            handler.end();
        }
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

    /** Runs a group on some machine and packs the store that it wrote. */
    private static final class GroupTask extends AbstractFunction2<TaskContext, Iterator<String>, byte[]>
            implements Serializable {

        private final byte[] study;
        private final String data;

        GroupTask(byte[] study, String data) {
            this.study = study;
            this.data = data;
        }

        @Override
        public byte[] apply(TaskContext context, Iterator<String> groups) {
            return inFolder(folder -> {
                Path file = Files.write(folder.resolve("study.yaml"), study);
                Path results = folder.resolve("results");
                OneCore.run(() -> {
                    new Runner(StudyFile.read(file.toString()), new DataFolder(Path.of(data)), results)
                            .runOne(groups.next());
                    return true;
                });
                return packed(results);
            });
        }
    }

    /** Takes what a group has found out, on the driver, as it arrives. */
    private static final class Found extends AbstractFunction2<Object, byte[], BoxedUnit> {

        private final Consumer<Path> found;
        private boolean isOver;

        Found(Consumer<Path> found) {
            this.found = found;
        }

        @Override
        public synchronized BoxedUnit apply(Object task, byte[] results) {
            if (isOver) {
                return BoxedUnit.UNIT;
            }
            return inFolder(folder -> {
                unpack(results, folder);
                found.accept(folder);
                return BoxedUnit.UNIT;
            });
        }

        /** Spark goes on with the tasks of a job that has failed: the store may belong to somebody else by then. */
        synchronized void end() {
            isOver = true;
        }
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
