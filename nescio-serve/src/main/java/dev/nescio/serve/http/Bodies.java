// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import dev.nescio.serve.state.Refused;
import io.javalin.http.Context;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.eclipse.jetty.http.BadMessageException;

/** Bodies of requests, never longer and never slower than allowed. What has not arrived takes no memory, whatever is announced. */
final class Bodies {

    private static final int FIRST = 64 << 10;

    private Bodies() {}

    static byte[] read(Context context, int most, Limits limits) {
        long announced = context.req().getContentLengthLong();
        ByteArrayOutputStream body = new ByteArrayOutputStream((int) Math.min(Math.max(announced, 1 << 10), FIRST));
        copy(context, most, limits, body);
        return body.toByteArray();
    }

    /** Reads a body into a file; refuses with 507 what the disk has no room for. */
    static void read(Context context, int most, Limits limits, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            copy(context, most, limits, out);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void copy(Context context, int most, Limits limits, OutputStream out) {
        if (context.req().getContentLengthLong() > most) {
            throw tooLong(most);
        }
        long end = System.nanoTime() + limits.time().toNanos();
        try (InputStream in = context.req().getInputStream()) {
            byte[] piece = new byte[1 << 14];
            long all = 0;
            int read = in.read(piece);
            while (read >= 0) {
                all += read;
                if (all > most) {
                    throw tooLong(most);
                }
                write(out, piece, read);
                if (System.nanoTime() - end > 0) {
                    throw new Refused(
                            408, "the body took longer than " + limits.time().toSeconds() + " seconds");
                }
                read = in.read(piece);
            }
        } catch (IOException | BadMessageException e) {
            throw new Refused(408, "the body did not arrive whole");
        }
    }

    /** Where it cannot be written, the client is not to blame. */
    private static void write(OutputStream out, byte[] piece, int length) {
        try {
            out.write(piece, 0, length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Refused tooLong(int most) {
        return new Refused(413, "the body has more than " + most + " bytes, which is the limit");
    }
}
