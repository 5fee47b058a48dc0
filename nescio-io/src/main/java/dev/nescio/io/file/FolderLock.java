// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A folder that one process works in; the system gives it free when the process ends, however that happens. */
final class FolderLock implements Closeable {

    /** The name of the file in the folder that is locked. */
    static final String NAME = "lock";

    private static final System.Logger LOG = System.getLogger(FolderLock.class.getName());

    private final FileChannel channel;

    private FolderLock(FileChannel channel) {
        this.channel = channel;
    }

    /** Takes a folder, which is made where it is missing; null where somebody else has it, or the file system knows no locks. */
    static @Nullable FolderLock take(Path folder) {
        try {
            Files.createDirectories(folder);
            Path file = folder.resolve(NAME);
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (isOurs(channel, file)) {
                return new FolderLock(channel);
            }
            channel.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot lock " + folder, e);
        }
        return null;
    }

    /** Somebody may have deleted the folder and somebody else made it again meanwhile: our mark shows whether it is the same file. */
    private static boolean isOurs(FileChannel channel, Path file) throws IOException {
        try {
            if (channel.tryLock() == null) {
                return false;
            }
        } catch (OverlappingFileLockException e) {
            return false;
        }
        String mark = UUID.randomUUID().toString();
        channel.write(ByteBuffer.wrap(mark.getBytes(StandardCharsets.US_ASCII)), 0);
        return Files.exists(file)
                && Files.readString(file, StandardCharsets.US_ASCII).equals(mark);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot close a lock", e);
        }
    }
}
