// SPDX-License-Identifier: Apache-2.0
package dev.nescio.paper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The numbers that the JLDE paper prints, by table, data set, model, estimator, shift and metric, in its own words. */
public final class PaperTables {

    private static final Map<String, Double> MEANS = load();
    private static final int MEAN = 6;

    private PaperTables() {}

    private static Map<String, Double> load() {
        Map<String, Double> means = new HashMap<>();
        try (InputStream in = PaperTables.class.getResourceAsStream("paper.csv")) {
            if (in == null) {
                throw new IllegalStateException("paper.csv is missing from the build");
            }
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .skip(1)
                    .forEach(line -> {
                        // No field of this file holds a comma or a quote.
                        String[] fields = line.split(",", -1);
                        if (fields[MEAN].matches("-?[0-9.]+")) {
                            means.put(
                                    key(fields[0], fields[1], fields[2], fields[3], fields[4], fields[5]),
                                    Double.valueOf(fields[MEAN]));
                        }
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return means;
    }

    private static String key(String... parts) {
        return String.join("\t", parts);
    }

    /** As printed; NaN where the paper has no such number. */
    public static double mean(String table, String data, String model, String estimator, String shift, String metric) {
        return MEANS.getOrDefault(key(table, data, model, estimator, shift, metric), Double.NaN);
    }
}
