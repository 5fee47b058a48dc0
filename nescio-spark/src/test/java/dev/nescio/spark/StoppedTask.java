// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.spark.SparkConf;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.jspecify.annotations.Nullable;

/**
 * Stops one task in the middle, once the file {@code armed} is there: the first task that takes it leaves the number of its process in the
 * file {@code process} and waits to be killed with it.
 */
public final class StoppedTask implements SparkPlugin {

    private static final String FOLDER = "spark.nescio.stopped.folder";
    private static final String AFTER = "spark.nescio.stopped.after";
    private static final long LONG_ENOUGH = 300_000;
    private static final long PATIENCE_SECONDS = 180;

    /** Settings of a Spark that runs with it. */
    static Map<String, String> settings(Path folder) {
        return settings(folder, 0);
    }

    /** @param after how many tasks of a process are left alone at first */
    public static Map<String, String> settings(Path folder, int after) {
        return Map.of(
                "spark.plugins",
                StoppedTask.class.getName(),
                FOLDER,
                folder.toString(),
                AFTER,
                Integer.toString(after));
    }

    /** The next task that begins is stopped. */
    public static void arm(Path folder) {
        try {
            Files.deleteIfExists(folder.resolve("process"));
            Files.writeString(folder.resolve("armed"), "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for a task to be stopped, and ends its process; fails where none is stopped for long. */
    public static void killWhenStopped(Path folder) {
        killWhenStopped(folder, () -> true);
    }

    /** @param isTime what is waited for, too */
    public static void killWhenStopped(Path folder, BooleanSupplier isTime) {
        try {
            Path process = folder.resolve("process");
            long end = System.nanoTime() + PATIENCE_SECONDS * 1_000_000_000L;
            while (!Files.exists(process) || !isTime.getAsBoolean()) {
                if (System.nanoTime() > end) {
                    throw new IllegalStateException("no task was stopped within " + PATIENCE_SECONDS + " seconds");
                }
                Thread.sleep(10);
            }
            ProcessHandle victim =
                    ProcessHandle.of(Long.parseLong(Files.readString(process))).orElseThrow();
            victim.destroyForcibly();
            victim.onExit().join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public @Nullable DriverPlugin driverPlugin() {
        return null;
    }

    @Override
    public ExecutorPlugin executorPlugin() {
        return new ExecutorPlugin() {
            private final AtomicInteger begun = new AtomicInteger();
            private Path folder = Path.of(".");
            private int after;

            @Override
            public void init(PluginContext context, Map<String, String> extra) {
                SparkConf conf = context.conf();
                folder = Path.of(conf.get(FOLDER));
                after = conf.getInt(AFTER, 0);
            }

            @Override
            public void onTaskStart() {
                try {
                    if (begun.incrementAndGet() > after && Files.deleteIfExists(folder.resolve("armed"))) {
                        String pid = String.valueOf(ProcessHandle.current().pid());
                        Path half = Files.writeString(folder.resolve("half"), pid);
                        Files.move(half, folder.resolve("process"), StandardCopyOption.ATOMIC_MOVE);
                        Thread.sleep(LONG_ENOUGH);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        };
    }
}
