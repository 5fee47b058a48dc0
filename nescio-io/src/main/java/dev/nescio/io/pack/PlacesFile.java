// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.pack;

import dev.nescio.io.file.AtomicFile;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import org.jspecify.annotations.Nullable;

/** New numbers of nodes in a file with a checksum, so that a process that goes on need not find them again. */
public final class PlacesFile {

    private PlacesFile() {}

    /** Writes a file whole or not at all. */
    public static void write(Path file, int[] places, String fingerprint) {
        AtomicFile.write(file, stream -> {
            CheckedOutputStream checked = new CheckedOutputStream(stream, new CRC32C());
            DataOutputStream out = new DataOutputStream(checked);
            out.writeUTF(fingerprint);
            for (int place : places) {
                out.writeInt(place);
            }
            out.flush();
            out.writeLong(checked.getChecksum().getValue());
            out.flush();
        });
    }

    /** Reads a file; null where there is none, it has another fingerprint, or is damaged. */
    public static int @Nullable [] read(Path file, int nodes, String fingerprint) {
        if (!Files.isRegularFile(file)) {
            return null;
        }
        try (CheckedInputStream checked =
                        new CheckedInputStream(new BufferedInputStream(Files.newInputStream(file)), new CRC32C());
                DataInputStream in = new DataInputStream(checked)) {
            if (!in.readUTF().equals(fingerprint)) {
                return null;
            }
            int[] places = new int[nodes];
            for (int v = 0; v < nodes; v++) {
                places[v] = in.readInt();
            }
            long sum = checked.getChecksum().getValue();
            return in.readLong() == sum ? places : null;
        } catch (IOException e) {
            return null;
        }
    }
}
