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

/**
 * What has been tried, one line per trial, appended when it is finished: {@code key TAB validation accuracy TAB test accuracy
 * TAB epochs TAB validation loss}; older journals have no loss. Killed at any moment, at most the line that was being written is lost.
 */
public final class TrialJournal {

    private final Path file;
    private final Map<String, Trial> trials = new LinkedHashMap<>();

    /** One finished training. */
    public record Trial(double validationAccuracy, double testAccuracy, int epochs, double validationLoss) {}

    public TrialJournal(Path file) {
        this.file = file;
        if (Files.exists(file)) {
            read();
        }
    }

    private void read() {
        try {
            String text = Files.readString(file);
            List<String> lines = text.lines().toList();
            for (int i = 0; i < lines.size(); i++) {
                String[] parts = lines.get(i).split("\t");
                boolean isCutOff = i == lines.size() - 1 && !text.endsWith("\n");
                if (isCutOff) {
                    continue;
                }
                if (parts.length < 4 || parts.length > 5) {
                    throw new BadInput(
                            file + ", line " + (i + 1) + ": expected four or five columns, got '" + lines.get(i) + "'");
                }
                trials.put(
                        parts[0],
                        new Trial(
                                Double.parseDouble(parts[1]),
                                Double.parseDouble(parts[2]),
                                Integer.parseInt(parts[3]),
                                parts.length > 4 ? Double.parseDouble(parts[4]) : Double.NaN));
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

    public synchronized boolean has(String key) {
        return trials.containsKey(key);
    }

    public synchronized Trial get(String key) {
        return trials.get(key);
    }

    public synchronized void add(String key, Trial trial) {
        trials.put(key, trial);
        String line = String.join(
                "\t",
                key,
                Double.toString(trial.validationAccuracy),
                Double.toString(trial.testAccuracy),
                Integer.toString(trial.epochs),
                trial.validationLoss + "\n");
        try {
            if (file.getParent() != null) {
                Files.createDirectories(file.getParent());
            }
            Files.writeString(file, line, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new BadConfiguration(file + " cannot be written: " + AtomicFile.reason(e), e);
        }
    }
}
