// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.DoubleSupplier;

/** What benchmarks measure. */
final class Measure {

    private static final Path STATUS = Path.of("/proc/self/status");

    private Measure() {}

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** The median of some numbers that are measured one after the other, after one that does not count. */
    static double medianOf(int times, DoubleSupplier measurement) {
        double[] values = new double[times + 1];
        Arrays.setAll(values, i -> measurement.getAsDouble());
        return median(Arrays.copyOfRange(values, 1, times + 1));
    }

    /** Forgets the largest resident size so far, where the system can. */
    static void resetPeak() {
        try {
            Files.writeString(Path.of("/proc/self/clear_refs"), "5");
        } catch (IOException e) {
            System.err.println("the peak of memory cannot be reset here: " + e.getMessage());
        }
    }

    /** The largest resident size of this process so far; -1 where the system does not tell. */
    static long peakMebibytes() {
        return status("VmHWM:");
    }

    /** The resident size of this process now; -1 where the system does not tell. */
    static long residentMebibytes() {
        return status("VmRSS:");
    }

    private static long status(String key) {
        if (!Files.exists(STATUS)) {
            return -1;
        }
        try {
            return Files.readAllLines(STATUS).stream()
                    .filter(line -> line.startsWith(key))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                    .findFirst()
                    .orElse(-1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
