// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.file;

import dev.nescio.problem.BadInput;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Text in UTF-8. What is something else is refused: replaced by question marks, two different names could become one. */
public final class Utf8 {

    private Utf8() {}

    /** Opens the same bytes once more. */
    @FunctionalInterface
    public interface Source {
        /** A new stream that begins with the first byte; the caller closes it. */
        InputStream open() throws IOException;
    }

    /** Throws a {@link CharacterCodingException} where the bytes are not UTF-8. */
    public static Reader reader(InputStream in) {
        return new InputStreamReader(
                in,
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT));
    }

    /** All lines of a small file. */
    public static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (CharacterCodingException e) {
            throw problem(file, () -> Files.newInputStream(file), e);
        } catch (IOException e) {
            throw new BadInput(file + " cannot be read: " + AtomicFile.reason(e), e);
        }
    }

    /** The complaint about a file that is not UTF-8, with the first line that is not. */
    public static BadInput problem(Path file, Source source, Exception cause) {
        try (InputStream in = new BufferedInputStream(source.open(), 1 << 16)) {
            return new BadInput(
                    file + ", line " + badLine(in)
                            + ": it is not text in UTF-8; convert the file first, for example with"
                            + " 'iconv -f latin1 -t utf-8'",
                    cause);
        } catch (IOException e) {
            return new BadInput(file + " is not text in UTF-8", e);
        }
    }

    /** Every line by itself: no character of UTF-8 holds a line break. */
    private static long badLine(InputStream in) throws IOException {
        long line = 1;
        byte[] bytes = new byte[1 << 13];
        int length = 0;
        for (int b = in.read(); ; b = in.read()) {
            if (b < 0 || b == '\n') {
                if (!isText(bytes, length)) {
                    return line;
                }
                length = 0;
                line++;
                if (b < 0) {
                    return line;
                }
            } else {
                if (length == bytes.length) {
                    bytes = Arrays.copyOf(bytes, 2 * length);
                }
                bytes[length++] = (byte) b;
            }
        }
    }

    private static boolean isText(byte[] bytes, int length) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
