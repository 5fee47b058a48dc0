// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.file;

import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** What all our zips share. */
public final class Zips {

    /** DEFLATE cannot make more than this many bytes of one. */
    private static final long DEFLATE_LIMIT = 1032;

    /** Numbers do not shrink so much, and what is small does no harm. */
    private static final long SUSPICIOUS = 500;

    private static final long HARMLESS = 256 << 20;

    /** Entries carry no time of day, so that the same content gives the same bytes. Two seconds later than the first moment of a zip, which would be
     * written a second time, in the time zone of the machine. */
    private static final LocalDateTime NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0, 2);

    private Zips() {}

    /** Adds an entry without a time of day; the content must leave the stream open. */
    public static void add(ZipOutputStream zip, String name, AtomicFile.Content content) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(NO_TIME);
        zip.putNextEntry(entry);
        content.write(zip);
        zip.closeEntry();
    }

    /** The bytes of an entry; closing throws where they are not those that were written. */
    public static InputStream open(ZipFile zip, ZipEntry entry) throws IOException {
        return Verified.entry(zip, entry);
    }

    /** An upper bound of the bytes of an entry, whatever its header claims. Refuses bombs. */
    public static long mostBytes(ZipEntry entry, Path zip) {
        boolean isBomb = entry.getSize() > HARMLESS && entry.getSize() / SUSPICIOUS > entry.getCompressedSize();
        if (isBomb) {
            throw new BadInput(
                    zip + ": '" + entry.getName() + "' unpacks to more than " + SUSPICIOUS + " times its size");
        }
        return Math.min(entry.getSize(), entry.getCompressedSize() * DEFLATE_LIMIT);
    }
}
