// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.output;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a process prints, and whether it has arrived: Java's own stream forgets what it could not write, and a table that a full disk has cut off
 * would end with exit code 0.
 */
public final class StandardOutput extends OutputStream {

    private final OutputStream out;
    private volatile @Nullable IOException problem;

    StandardOutput(OutputStream out) {
        this.out = out;
    }

    /** From now on {@code System.out} is watched. */
    public static StandardOutput watch() {
        StandardOutput watched = new StandardOutput(new FileOutputStream(FileDescriptor.out));
        System.setOut(new PrintStream(watched, true, Charset.defaultCharset()));
        return watched;
    }

    /** Why not all has arrived; null where it has, and where the reader wanted no more, as {@code head} does. */
    public @Nullable String problem() {
        System.out.flush();
        IOException found = problem;
        String reason = found == null ? null : String.valueOf(found.getMessage());
        return reason == null || reason.toLowerCase(Locale.ROOT).contains("pipe") ? null : reason;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            problem = e;
            throw e;
        }
    }
}
