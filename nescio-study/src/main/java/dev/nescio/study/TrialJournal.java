// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.file.CrashPoint;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
            String text = Files.readString(file);
            isCutOff = !text.isEmpty() && !text.endsWith("\n");
            // What follows the last line break was being written when the program was stopped.
            List<String> lines =
                    text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
            boolean hasHeader = !lines.isEmpty() && lines.get(0).startsWith(HEADER);
            format = hasHeader ? format(lines.get(0).substring(HEADER.length()).strip()) : 1;
            for (int i = hasHeader ? 1 : 0; i < lines.size(); i++) {
                read(lines.get(i), i + 1);
            }
        } catch (IOException e) {
            throw new BadInput(file + " cannot be read: " + AtomicFile.reason(e), e);
        } catch (NumberFormatException e) {
            throw new BadInput(file + " holds something that is not a number: " + e.getMessage(), e);
        }
    }

    private int format(String text) {
        if (!text.equals("2") && !text.equals(Integer.toString(FORMAT))) {
            throw new BadInput(
                    file + " was written in format " + text + "; this version of Nescio reads formats 1 to " + FORMAT);
        }
        return Integer.parseInt(text);
    }

    private void read(String line, int number) {
        String text = line;
        if (format == FORMAT) {
            int end = line.lastIndexOf('\t');
            text = line.substring(0, Math.max(0, end));
            if (!line.substring(end + 1).equals(checksum(text))) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        file + ", line " + number + " is damaged or was cut off; that trial is run again");
                return;
            }
        }
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
            channel.write(ByteBuffer.wrap(bytes, 0, half));
            CrashPoint.pass();
            channel.write(ByteBuffer.wrap(bytes, half, bytes.length - half));
            channel.force(false);
        }
        CrashPoint.pass();
    }
}
