// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.journal;

import dev.nescio.io.file.CrashPoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** How bytes get onto the disk; tests make it full. */
@FunctionalInterface
public interface Disk {

    /** Writes everything at the position of the channel and waits until it is on the disk. */
    Disk REAL = (channel, bytes) -> {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        CrashPoint.pass();
        channel.force(false);
    };

    /** Writes all bytes at the position of the channel and returns when they are durable. */
    void append(FileChannel channel, ByteBuffer bytes) throws IOException;
}
