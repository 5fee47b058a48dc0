// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.data;

import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.file.CrashPoint;
import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.BiConsumer;

/**
 * Fetches the official file of a data set. What has arrived stays beside the target under the name {@code .part} until all
 * of it is there and verified; interrupted, a download goes on where it stopped.
 */
public final class Download {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** Of a file whose length nobody has published. */
    private static final long LARGEST = 64L << 20;

    private static final byte[] START_OF_A_ZIP = {'P', 'K'};
    private static final int RANGE_NOT_SATISFIABLE = 416;

    private final BiConsumer<Long, Long> progress;
    private final Duration patience;

    /** @param progress bytes so far and in all (-1 where that is not known) */
    public Download(BiConsumer<Long, Long> progress) {
        this(progress, PATIENCE);
    }

    /** @param patience how long a server may be silent */
    Download(BiConsumer<Long, Long> progress, Duration patience) {
        this.progress = progress;
        this.patience = patience;
    }

    /**
     * Fetches and verifies the file of a data set, and returns where it is in the folder. An older file of this name is replaced.
     * Refuses a data set that nobody publishes, and a file that is not the published one.
     */
    public Path pull(DataSet set, DataFolder folder) {
        URI source = set.source();
        if (source == null) {
            throw new BadInput(set.title() + " is not published anywhere: " + set.remark());
        }
        Path target = folder.path().resolve(set.official().file());
        Path part = target.resolveSibling(target.getFileName() + ".part");
        try {
            Files.createDirectories(folder.path());
            fetch(source, part, set.official().bytes());
            CrashPoint.pass();
            verify(set, part);
            try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            CrashPoint.pass();
            AtomicFile.move(part, target);
            CrashPoint.pass();
            return target;
        } catch (IOException e) {
            throw new BadInput(
                    source + " cannot be fetched (" + reason(e) + "). Without a network, put the file "
                            + set.official().file() + " into " + folder.path()
                            + " yourself, or name the folder where it"
                            + " is with --data",
                    e);
        }
    }

    private void fetch(URI source, Path part, long expected) throws IOException {
        long have = Files.exists(part) ? Files.size(part) : 0;
        if (expected >= 0 && have == expected) {
            return;
        }
        if (expected >= 0 && have > expected) {
            Files.delete(part);
            have = 0;
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(source).timeout(patience);
        if (have > 0) {
            request.header("Range", "bytes=" + have + "-");
        }
        HttpResponse<InputStream> response = send(request.build());
        if (response.statusCode() == RANGE_NOT_SATISFIABLE && have > 0) {
            // All of it may be there already; whether it is right, a fresh one will tell.
            response.body().close();
            Files.delete(part);
            fetch(source, part, expected);
            return;
        }
        boolean goesOn = response.statusCode() == 206;
        if (!goesOn && response.statusCode() != 200) {
            response.body().close();
            throw new IOException("the server answers with status " + response.statusCode());
        }
        long begin = goesOn ? have : 0;
        long length = response.headers().firstValueAsLong("Content-Length").orElse(-1);
        long total = expected >= 0 || length < 0 ? expected : begin + length;
        try (InputStream in = response.body()) {
            if (expected < 0 && total > LARGEST) {
                throw new NotTheFile("the server sends more than " + LARGEST + " bytes");
            }
            copy(in, part, begin, total);
        }
    }

    /** What arrives is something else. */
    private static final class NotTheFile extends IOException {

        private static final long serialVersionUID = 1;

        NotTheFile(String message) {
            super(message);
        }
    }

    private void copy(InputStream in, Path part, long begin, long total) throws IOException {
        byte[] buffer = new byte[1 << 16];
        long[] done = {begin};
        Watchdog watchdog = new Watchdog(in, patience);
        try {
            int first = in.readNBytes(buffer, 0, START_OF_A_ZIP.length);
            watchdog.sawSomething();
            requireZip(buffer, first, begin);
            write(in, buffer, first, part, done, total, watchdog);
            watchdog.requireAwake();
        } catch (NotTheFile e) {
            throw e;
        } catch (IOException e) {
            throw new IOException(
                    "the connection ended after " + done[0] + " bytes ("
                            + (watchdog.isTired
                                    ? "nothing has come for " + patience.toSeconds() + " seconds"
                                    : reason(e))
                            + "); try again to go on",
                    e);
        } finally {
            watchdog.close();
        }
        if (total >= 0 && done[0] < total) {
            throw new IOException(
                    "the connection ended after " + done[0] + " of " + total + " bytes; try again to go on");
        }
    }

    /** Before a file is touched: a page instead of the file must not take the place of what has arrived earlier. */
    private static void requireZip(byte[] start, int length, long begin) throws IOException {
        if (length == 0) {
            throw new IOException("the server sends nothing");
        }
        if (begin == 0 && !Arrays.equals(start, 0, length, START_OF_A_ZIP, 0, length)) {
            throw new NotTheFile("the server sends something else, perhaps a page to log in");
        }
    }

    private void write(InputStream in, byte[] buffer, int first, Path part, long[] done, long total, Watchdog watchdog)
            throws IOException {
        long limit = total >= 0 ? total : LARGEST;
        try (OutputStream out = Files.newOutputStream(
                part,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                done[0] > 0 ? StandardOpenOption.APPEND : StandardOpenOption.TRUNCATE_EXISTING)) {
            for (int read = first; read > 0; read = in.read(buffer)) {
                watchdog.sawSomething();
                if (done[0] + read > limit) {
                    throw new NotTheFile("the server sends more than " + limit + " bytes");
                }
                out.write(buffer, 0, read);
                done[0] += read;
                CrashPoint.pass();
                progress.accept(done[0], total);
            }
        } catch (NotTheFile e) {
            // Going on from it would never end well.
            Files.deleteIfExists(part);
            throw e;
        }
    }

    /** Closes a stream that nothing comes from any more: reading it would never end. */
    private static final class Watchdog {

        private final InputStream in;
        private final Duration patience;
        private final Thread thread;
        private volatile long last = System.nanoTime();
        private volatile boolean isTired;

        Watchdog(InputStream in, Duration patience) {
            this.in = in;
            this.patience = patience;
            this.thread = new Thread(this::watch, "nescio-download-watchdog");
            thread.setDaemon(true);
            thread.start();
        }

        private void watch() {
            try {
                while (System.nanoTime() - last < patience.toNanos()) {
                    Thread.sleep(Math.max(1, patience.toMillis() / 10));
                }
                isTired = true;
                in.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (IOException e) {
                System.getLogger(Download.class.getName()).log(System.Logger.Level.DEBUG, "cannot close", e);
            }
        }

        void sawSomething() {
            last = System.nanoTime();
        }

        void requireAwake() throws IOException {
            if (isTired) {
                throw new IOException("too slow");
            }
        }

        void close() {
            thread.interrupt();
        }
    }

    private static HttpResponse<InputStream> send(HttpRequest request) throws IOException {
        try {
            return HttpClient.newBuilder()
                    .followRedirects(HttpClient.Redirect.NORMAL)
                    .connectTimeout(PATIENCE)
                    .build()
                    .send(request, HttpResponse.BodyHandlers.ofInputStream());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static void verify(DataSet set, Path part) throws IOException {
        try {
            DataFolder.verified(set, new DataFolder.Found(set.official(), part));
        } catch (BadInput e) {
            // Going on from it would never end well.
            Files.deleteIfExists(part);
            throw e;
        }
    }

    private static String reason(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName().replace("Exception", "") : e.getMessage();
    }
}
