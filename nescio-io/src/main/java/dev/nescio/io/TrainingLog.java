// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io;

import dev.nescio.io.file.AtomicFile;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * One line per epoch while a network is trained, in a folder: {@code epochs.csv} for people and plots, and an event file for
 * TensorBoard. Both can be read while training goes on.
 */
public final class TrainingLog implements TrainingListener, Closeable {

    private final Path folder;
    private final Writer csv;
    private final OutputStream events;

    /**
     * Begins both files in a folder, which is made where it is missing; older files of these names are overwritten. Refuses a
     * folder that cannot be written. Not for several trainings at a time.
     */
    public TrainingLog(Path folder) {
        try {
            Files.createDirectories(folder);
            this.folder = folder;
            this.csv = Files.newBufferedWriter(folder.resolve("epochs.csv"));
            this.events = Files.newOutputStream(folder.resolve("events.out.tfevents.0.nescio"));
            csv.write("epoch,loss,validation_accuracy,best_epoch,best_validation_accuracy\n");
            csv.flush();
            write(event(0, field(3, "brain.Event:2".getBytes(StandardCharsets.UTF_8))));
        } catch (IOException e) {
            throw new BadConfiguration(folder + " cannot be written: " + AtomicFile.reason(e), e);
        }
    }

    /** Into streams that are open already. */
    TrainingLog(Path folder, Writer csv, OutputStream events) {
        this.folder = folder;
        this.csv = csv;
        this.events = events;
    }

    @Override
    public void epoch(Epoch e) {
        try {
            csv.write(String.format(
                    Locale.ROOT,
                    "%d,%s,%s,%d,%s\n",
                    e.number(),
                    e.loss(),
                    e.accuracy(),
                    e.bestEpoch(),
                    e.bestAccuracy()));
            csv.flush();
            write(event(e.number(), summary("loss", e.loss(), "validation_accuracy", e.accuracy())));
        } catch (IOException failure) {
            throw problem(failure);
        }
    }

    /** A summary of two numbers, as field 5 of an event. */
    private static byte[] summary(String firstTag, double first, String secondTag, double second) {
        return field(5, joined(field(1, value(firstTag, first)), field(1, value(secondTag, second))));
    }

    private static byte[] value(String tag, double number) {
        byte[] simple = ByteBuffer.allocate(5)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) (2 << 3 | 5))
                .putFloat((float) number)
                .array();
        return joined(field(1, tag.getBytes(StandardCharsets.UTF_8)), simple);
    }

    /** Wall time (always 0: the same training gives the same bytes), step, and what happened. */
    private static byte[] event(long step, byte[] what) {
        byte[] time = ByteBuffer.allocate(9)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) (1 << 3 | 1))
                .putDouble(0)
                .array();
        return joined(time, joined(new byte[] {2 << 3}, varint(step)), what);
    }

    /** A field of the kind that begins with its length. */
    private static byte[] field(int number, byte[] content) {
        return joined(new byte[] {(byte) (number << 3 | 2)}, varint(content.length), content);
    }

    private static byte[] varint(long value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        long rest = value;
        while (rest > 127) {
            out.write((int) ((rest & 127) | 128));
            rest >>>= 7;
        }
        out.write((int) rest);
        return out.toByteArray();
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    /** A record: its length, a checksum of that, the content, a checksum of that. */
    private void write(byte[] content) throws IOException {
        byte[] length = ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(content.length)
                .array();
        events.write(joined(length, checksum(length), content, checksum(content)));
        events.flush();
    }

    private static byte[] checksum(byte[] content) {
        CRC32C crc = new CRC32C();
        crc.update(content);
        int plain = (int) crc.getValue();
        int masked = (plain >>> 15 | plain << 17) + 0xa282ead8;
        return ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(masked)
                .array();
    }

    @Override
    public void close() {
        try (csv;
                events) {
            csv.flush();
        } catch (IOException e) {
            throw problem(e);
        }
    }

    private BadInput problem(IOException e) {
        return new BadInput("the log " + folder + " cannot be written: " + AtomicFile.reason(e), e);
    }
}
