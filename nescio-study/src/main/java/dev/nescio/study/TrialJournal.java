// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import dev.nescio.io.file.AtomicFile;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What has been tried, one line per trial, appended when it is finished: {@code key TAB validation accuracy TAB test accuracy
 * TAB epochs TAB validation loss}. The first line names the format; journals of format 1 have no such line, keys of another form,
 * and some have no loss. Killed at any moment, at most the line that was being written is lost.
 */
final class TrialJournal {

    private static final int FORMAT = 2;
    private static final String HEADER = "#nescio-trials ";

    private final Path file;
    private final Map<String, Trial> trials = new LinkedHashMap<>();
    private boolean isOld;

    /** One finished training. */
    record Trial(double validationAccuracy, double testAccuracy, int epochs, double validationLoss) {

        private String line(String key) {
            return String.join(
                    "\t",
                    key,
                    Double.toString(validationAccuracy),
                    Double.toString(testAccuracy),
                    Integer.toString(epochs),
                    Double.toString(validationLoss));
        }
    }

    TrialJournal(Path file) {
        this.file = file;
        if (Files.exists(file)) {
            read();
        }
    }

    private void read() {
        try {
            String text = Files.readString(file);
            // What follows the last line break was being written when the program was stopped.
            List<String> lines =
                    text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
            isOld = lines.isEmpty() || !lines.get(0).startsWith(HEADER);
            if (!isOld) {
                requireFormat(lines.get(0).substring(HEADER.length()));
            }
            for (int i = isOld ? 0 : 1; i < lines.size(); i++) {
                read(lines.get(i), i + 1);
            }
            if (!text.isEmpty() && !text.endsWith("\n")) {
                Files.writeString(file, text.substring(0, text.lastIndexOf('\n') + 1));
            }
        } catch (IOException e) {
            throw new BadInput(file + " cannot be read: " + AtomicFile.reason(e), e);
        } catch (NumberFormatException e) {
            throw new BadInput(file + " holds something that is not a number: " + e.getMessage(), e);
        }
    }

    private void requireFormat(String format) {
        if (!format.strip().equals(Integer.toString(FORMAT))) {
            throw new BadInput(file + " was written in format " + format.strip()
                    + "; this version of Nescio reads formats 1 to " + FORMAT);
        }
    }

    private void read(String line, int number) {
        String[] parts = line.split("\t");
        if (parts.length < 4 || parts.length > 5) {
            throw new BadInput(file + ", line " + number + ": expected four or five columns, got '" + line + "'");
        }
        trials.put(
                isOld ? OldKeys.trial(parts[0]) : parts[0],
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
            if (!Files.exists(file) || isOld) {
                AtomicFile.write(
                        file,
                        HEADER + FORMAT + "\n"
                                + trials.entrySet().stream()
                                        .map(entry -> entry.getValue().line(entry.getKey()) + "\n")
                                        .collect(Collectors.joining()));
                isOld = false;
            }
            trials.put(key, trial);
            Files.writeString(file, trial.line(key) + "\n", StandardCharsets.UTF_8, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new BadConfiguration(file + " cannot be written: " + AtomicFile.reason(e), e);
        }
    }
}
