// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.file;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * A stream that is known to be whole when it has been closed: closing reads what is left and throws where a check of all the bytes
 * fails. Whoever uses what was read before closing uses something unchecked.
 */
final class Verified extends InputStream {

    private final String name;
    private final InputStream in;
    private final BooleanSupplier isWhole;
    private boolean isClosed;

    /** @param isWhole asked when all of the bytes have been read */
    Verified(String name, InputStream in, BooleanSupplier isWhole) {
        this.name = name;
        this.in = in;
        this.isWhole = isWhole;
    }

    /** {@link ZipFile} by itself does not look at the checksum of an entry. */
    static InputStream entry(ZipFile zip, ZipEntry entry) throws IOException {
        CRC32 crc = new CRC32();
        return new Verified(
                entry.getName(),
                new CheckedInputStream(zip.getInputStream(entry), crc),
                () -> crc.getValue() == entry.getCrc());
    }

    @Override
    public int read() throws IOException {
        return in.read();
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        return in.read(bytes, from, length);
    }

    @Override
    public void close() throws IOException {
        if (isClosed) {
            return;
        }
        isClosed = true;
        try (in) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        if (!isWhole.getAsBoolean()) {
            throw new IOException(name + " is damaged: its checksum is wrong");
        }
    }
}
