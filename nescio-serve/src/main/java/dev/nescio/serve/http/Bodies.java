// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import dev.nescio.serve.state.Refused;
import io.javalin.http.Context;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.BadMessageException;

/** Bodies of requests, never longer and never slower than allowed. */
final class Bodies {

    private Bodies() {}

    static byte[] read(Context context, int most, Limits limits) {
        long announced = context.req().getContentLengthLong();
        if (announced > most) {
            throw tooLong(most);
        }
        long end = System.nanoTime() + limits.time().toNanos();
        try (InputStream in = context.req().getInputStream()) {
            ByteArrayOutputStream body = new ByteArrayOutputStream(announced > 0 ? (int) announced : 1 << 10);
            byte[] piece = new byte[1 << 14];
            int read = in.read(piece);
            while (read >= 0) {
                body.write(piece, 0, read);
                if (body.size() > most) {
                    throw tooLong(most);
                }
                if (System.nanoTime() > end) {
                    throw new Refused(
                            408,
                            "the body took longer than "
                                    + TimeUnit.NANOSECONDS.toSeconds(
                                            limits.time().toNanos()) + " seconds");
                }
                read = in.read(piece);
            }
            return body.toByteArray();
        } catch (IOException | BadMessageException e) {
            throw new Refused(408, "the body did not arrive whole");
        }
    }

    private static Refused tooLong(int most) {
        return new Refused(413, "the body has more than " + most + " bytes, which is the limit");
    }
}
