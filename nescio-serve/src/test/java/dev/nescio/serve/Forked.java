// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A service in a process of its own, to be killed.
 *
 * @param address where it answers; null where it ended before it did
 */
record Forked(Process process, @Nullable URI address) {

    /** Starts a service that ends by itself at a moment ({@link dev.nescio.io.file.CrashPoint}); 0 for never. */
    static Forked start(Path detector, Path store, int moment) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-XX:TieredStopAtLevel=1",
                        "-Dnescio.crash.at=" + moment,
                        "-cp",
                        System.getProperty("java.class.path"),
                        ForkedService.class.getName(),
                        detector.toString(),
                        store.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader out = process.inputReader();
        String line = out.readLine();
        return new Forked(process, line == null ? null : URI.create(line));
    }

    /** As {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
