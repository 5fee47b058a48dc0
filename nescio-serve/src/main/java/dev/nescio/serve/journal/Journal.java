// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.journal;

import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.file.CrashPoint;
import dev.nescio.problem.BadInput;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/**
 * A file that only grows. What is appended at once is one frame: its length, a checksum of it, a checksum of what follows, then records, each with its length. A frame
 * is on the disk before {@link #append} returns, and it counts whole or not at all: one that a kill has cut off is removed at the next
 * start. The folder belongs to one process at a time.
 *
 * <p>Not safe for several threads: there is one writer.
 */
public final class Journal implements AutoCloseable {

    private static final byte[] MAGIC = "NESCIOJ1".getBytes(StandardCharsets.US_ASCII);
    private static final int HEADER = 12;
    private static final int SECTOR = 512;
    private static final String FILE = "journal";

    private final Path folder;
    private final FileChannel lockFile;
    private final FileLock lock;
    private final FileChannel channel;
    private final Disk disk;
    private final List<byte[]> found = new ArrayList<>();
    /** Where the last whole frame ends. */
    private long end;

    private Journal(Path folder, FileChannel lockFile, FileLock lock, FileChannel channel, Disk disk) {
        this.folder = folder;
        this.lockFile = lockFile;
        this.lock = lock;
        this.channel = channel;
        this.disk = disk;
    }

    /** Opens the journal of a folder, which is made where there is none; refuses a folder that another process uses. */
    public static Journal open(Path folder, Disk disk) {
        try {
            Files.createDirectories(folder);
            FileChannel lockFile =
                    FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = lock(lockFile, folder);
            FileChannel channel;
            try {
                channel = FileChannel.open(
                        folder.resolve(FILE),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
            } catch (IOException | RuntimeException e) {
                lockFile.close();
                throw e;
            }
            Journal journal = new Journal(folder, lockFile, lock, channel, disk);
            try {
                journal.read();
            } catch (IOException | RuntimeException e) {
                journal.close();
                throw e;
            }
            return journal;
        } catch (IOException e) {
            throw new BadInput("the store " + folder + " cannot be used: " + AtomicFile.reason(e), e);
        }
    }

    private static FileLock lock(FileChannel lockFile, Path folder) throws IOException {
        FileLock lock;
        try {
            lock = lockFile.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            lockFile.close();
            throw new BadInput("the store " + folder + " is in use by another service");
        }
        return lock;
    }

    /** The folder that the journal lies in. */
    public Path folder() {
        return folder;
    }

    /** The records that were there when it was opened, oldest first. They are handed out once, so that they need no memory. */
    public List<byte[]> takeFound() {
        List<byte[]> records = List.copyOf(found);
        found.clear();
        return records;
    }

    /** Appends records, all or none, and returns when they are on the disk. */
    public void append(List<byte[]> records) {
        byte[] frame = frame(records);
        try {
            channel.truncate(end);
            channel.position(end);
            CrashPoint.pass();
            disk.append(channel, ByteBuffer.wrap(frame));
            CrashPoint.pass();
            end += frame.length;
        } catch (IOException e) {
            cutBack();
            throw new StoreProblem("the store takes no more: " + AtomicFile.reason(e), e);
        }
    }

    /** What did not fit is taken away again, which needs no room. */
    private void cutBack() {
        try {
            channel.truncate(end);
            channel.force(false);
        } catch (IOException e) {
            System.getLogger(Journal.class.getName())
                    .log(System.Logger.Level.WARNING, "what did not fit is cut off at the next write", e);
        }
    }

    private static byte[] frame(List<byte[]> records) {
        try {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(body);
            for (byte[] record : records) {
                out.writeInt(record.length);
                out.write(record);
            }
            byte[] bytes = body.toByteArray();
            ByteBuffer frame = ByteBuffer.allocate(HEADER + bytes.length);
            return frame.putInt(bytes.length)
                    .putInt(checksum(lengthBytes(bytes.length)))
                    .putInt(checksum(bytes))
                    .put(bytes)
                    .array();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] lengthBytes(int length) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(length).array();
    }

    private static int checksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    private void read() throws IOException {
        long size = channel.size();
        byte[] magic = new byte[(int) Math.min(size, MAGIC.length)];
        readFully(ByteBuffer.wrap(magic), 0);
        boolean isCutOff = size < MAGIC.length && isZero(magic, magic.length);
        if (!isCutOff && !Arrays.equals(magic, Arrays.copyOf(MAGIC, magic.length))) {
            throw new BadInput(folder.resolve(FILE) + " is not the journal of a service; it is left alone");
        }
        if (size < MAGIC.length) {
            begin();
            return;
        }
        end = MAGIC.length;
        boolean isWhole = true;
        while (isWhole && end < size) {
            isWhole = readFrame(size);
        }
        if (end < size) {
            channel.truncate(end);
            channel.force(true);
        }
    }

    private void begin() throws IOException {
        CrashPoint.pass();
        channel.truncate(0);
        channel.position(0);
        disk.append(channel, ByteBuffer.wrap(MAGIC));
        CrashPoint.pass();
        channel.force(true);
        end = MAGIC.length;
        try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
            directory.force(true);
        } catch (IOException e) {
            // Some systems cannot force a folder.
            System.getLogger(Journal.class.getName()).log(System.Logger.Level.DEBUG, "cannot force the folder", e);
        }
    }

    /** Reads one frame; false where it was cut off. */
    private boolean readFrame(long size) throws IOException {
        if (size - end < HEADER) {
            return false;
        }
        ByteBuffer header = ByteBuffer.allocate(HEADER);
        readFully(header, end);
        header.flip();
        int length = header.getInt();
        if (header.getInt() != checksum(lengthBytes(length)) || length <= 0) {
            if (isZeroBehind(size)) {
                return false;
            }
            throw damaged();
        }
        int checksum = header.getInt();
        long behind = end + HEADER + length;
        if (behind > size) {
            return false;
        }
        byte[] body = new byte[length];
        readFully(ByteBuffer.wrap(body), end + HEADER);
        if (checksum(body) != checksum) {
            if (behind == size && isHalfWritten(body)) {
                return false;
            }
            throw damaged();
        }
        split(body);
        end = behind;
        return true;
    }

    /** Whether only zeros follow, which some file systems leave where a write was under way. */
    private boolean isZeroBehind(long size) throws IOException {
        byte[] rest = new byte[(int) Math.min(size - end, 1 << 20)];
        readFully(ByteBuffer.wrap(rest), end);
        return isZero(rest, rest.length);
    }

    /** Whether a sector of zeros tells that not all of a frame has reached the disk; records are text and hold none. */
    private static boolean isHalfWritten(byte[] body) {
        int zeros = 0;
        for (byte value : body) {
            zeros = value == 0 ? zeros + 1 : 0;
            if (zeros >= SECTOR) {
                return true;
            }
        }
        return body[body.length - 1] == 0;
    }

    private static boolean isZero(byte[] bytes, int length) {
        return IntStream.range(0, length).allMatch(i -> bytes[i] == 0);
    }

    private BadInput damaged() {
        return new BadInput(folder.resolve(FILE) + " is damaged at byte " + end + "; restore it from a copy");
    }

    private void split(byte[] body) {
        ByteBuffer in = ByteBuffer.wrap(body);
        while (in.hasRemaining()) {
            byte[] record = new byte[in.getInt()];
            in.get(record);
            found.add(record);
        }
    }

    private void readFully(ByteBuffer into, long from) throws IOException {
        long at = from;
        while (into.hasRemaining()) {
            int read = channel.read(into, at);
            if (read < 0) {
                throw new IOException("it ends at byte " + at);
            }
            at += read;
        }
    }

    @Override
    public void close() {
        try (lockFile;
                channel) {
            lock.release();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
