// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.file.CrashPoint;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * What has been tried, one line per trial, appended when it is finished: {@code key TAB validation accuracy TAB test accuracy
 * TAB epochs TAB validation loss TAB checksum}. The first line names the format. Journals of format 2 have no checksums, those of format 1
 * no such line, keys of another form, and some no loss. A journal only grows: killed at any moment, or on a full disk, at most the line that
 * was being written is lost, and what is left of it is not taken for a trial.
 */
final class TrialJournal {

    private static final System.Logger LOG = System.getLogger(TrialJournal.class.getName());
    private static final int FORMAT = 3;
    private static final String HEADER = "#nescio-trials ";
    private static final int COLUMNS = 5;

    private final Path file;
    private final Map<String, Trial> trials = new LinkedHashMap<>();
    private int format = FORMAT;
    /** Whether the last line was cut off: the next one begins on a line of its own. */
    private boolean isCutOff;

    /** One finished training. */
    record Trial(double validationAccuracy, double testAccuracy, int epochs, double validationLoss) {

        private String line(String key) {
            String text = String.join(
                    "\t",
                    key,
                    Double.toString(validationAccuracy),
                    Double.toString(testAccuracy),
                    Integer.toString(epochs),
                    Double.toString(validationLoss));
            return text + "\t" + checksum(text);
        }
    }

    TrialJournal(Path file) {
        this.file = file;
        if (Files.exists(file)) {
            read();
        }
    }

    private static String checksum(String text) {
        CRC32 crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().toHexDigits(crc.getValue(), 8);
    }

    private void read() {
        try {
            byte[] bytes = Files.readAllBytes(file);
            List<@Nullable String> lines = wholeLines(bytes);
            isCutOff = bytes.length > 0 && bytes[bytes.length - 1] != '\n';
            String first = lines.isEmpty() ? "" : String.valueOf(lines.get(0));
            boolean hasHeader = first.startsWith(HEADER);
            format = hasHeader ? format(first.substring(HEADER.length()).strip()) : 1;
            for (int i = hasHeader ? 1 : 0; i < lines.size(); i++) {
                read(lines.get(i), i + 1);
            }
        } catch (IOException e) {
            throw new BadInput(file + " cannot be read: " + AtomicFile.reason(e), e);
        } catch (NumberFormatException e) {
            throw new BadInput(file + " holds something that is not a number: " + e.getMessage(), e);
        }
    }

    /** Null stands for a line that is not UTF-8. What follows the last line break was being written when the program was stopped. */
    private static List<@Nullable String> wholeLines(byte[] bytes) {
        List<@Nullable String> lines = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                lines.add(decoded(ByteBuffer.wrap(bytes, from, i - from)));
                from = i + 1;
            }
        }
        return lines;
    }

    private static @Nullable String decoded(ByteBuffer line) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(line).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private int format(String text) {
        if (!text.equals("2") && !text.equals(Integer.toString(FORMAT))) {
            throw new BadInput(
                    file + " was written in format " + text + "; this version of Nescio reads formats 1 to " + FORMAT);
        }
        return Integer.parseInt(text);
    }

    private void read(@Nullable String line, int number) {
        if (format == FORMAT && !isWhole(line)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    file + ", line " + number + " is damaged or was cut off; that trial is run again");
            return;
        }
        if (line == null) {
            throw new BadInput(file + ", line " + number + ": it is not text in UTF-8");
        }
        String text = format == FORMAT ? line.substring(0, line.lastIndexOf('\t')) : line;
        String[] parts = text.split("\t");
        if (parts.length < COLUMNS - 1 || parts.length > COLUMNS) {
            throw new BadInput(file + ", line " + number + ": expected four or five columns, got '" + line + "'");
        }
        trials.put(
                format == 1 ? OldKeys.trial(parts[0]) : parts[0],
                new Trial(
                        Double.parseDouble(parts[1]),
                        Double.parseDouble(parts[2]),
                        Integer.parseInt(parts[3]),
                        parts.length > 4 ? Double.parseDouble(parts[4]) : Double.NaN));
    }

    private static boolean isWhole(@Nullable String line) {
        int end = line == null ? -1 : line.lastIndexOf('\t');
        return line != null && end >= 0 && line.substring(end + 1).equals(checksum(line.substring(0, end)));
    }

    synchronized boolean has(String key) {
        return trials.containsKey(key);
    }

    synchronized @Nullable Trial get(String key) {
        return trials.get(key);
    }

    synchronized void add(String key, Trial trial) {
        try {
            if (!Files.exists(file) || format < FORMAT) {
                AtomicFile.write(
                        file,
                        HEADER + FORMAT + "\n"
                                + trials.entrySet().stream()
                                        .map(entry -> entry.getValue().line(entry.getKey()) + "\n")
                                        .collect(Collectors.joining()));
                format = FORMAT;
                isCutOff = false;
            }
            append((isCutOff ? "\n" : "") + trial.line(key) + "\n");
            isCutOff = false;
            trials.put(key, trial);
        } catch (IOException e) {
            // Some of the line may be there.
            isCutOff = true;
            throw new BadConfiguration(file + " cannot be written: " + AtomicFile.reason(e), e);
        }
    }

    private void append(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        CrashPoint.pass();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            int half = bytes.length / 2;
            write(channel, ByteBuffer.wrap(bytes, 0, half));
            CrashPoint.pass();
            write(channel, ByteBuffer.wrap(bytes, half, bytes.length - half));
            channel.force(false);
        }
        CrashPoint.pass();
    }

    /** On a disk that is nearly full, a channel may write less than it was given. */
    static void write(WritableByteChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
