// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.benchmark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Layers of all ways as a table in Markdown, with medians and how often that of our own layer fits into them. */
final class LayerTable {

    private static final String LAYER = ", layer ";
    private static final String OURS = "ours, gcn";

    private final Map<Way, List<ShuffleMeter.Step>> layers = new LinkedHashMap<>();

    private record Way(String name, int blocks) {}

    /** Takes the steps of a way; only its layers count. */
    void add(int blocks, List<ShuffleMeter.Step> steps) {
        for (ShuffleMeter.Step step : steps) {
            int end = step.what().indexOf(LAYER);
            if (end > 0) {
                Way way = new Way(step.what().substring(0, end), blocks);
                layers.computeIfAbsent(way, w -> new ArrayList<>()).add(step);
            }
        }
    }

    /** The table, with a line per way. */
    String text() {
        List<String> lines = new ArrayList<>();
        lines.add("| way | blocks | layers | median | shuffled per layer | times ours, with as many blocks |");
        lines.add("|---|---|---|---|---|---|");
        layers.forEach((way, steps) -> {
            double median =
                    median(steps.stream().map(ShuffleMeter.Step::seconds).toList());
            List<ShuffleMeter.Step> ours = layers.getOrDefault(new Way(OURS, way.blocks), List.of());
            lines.add(String.format(
                    Locale.ROOT,
                    "| %s | %d | %s | %.1f s | %.2f GB | %s |",
                    way.name,
                    way.blocks,
                    steps.stream()
                            .map(step -> String.format(Locale.ROOT, "%.1f", step.seconds()))
                            .collect(Collectors.joining(", ")),
                    median,
                    median(steps.stream().map(step -> (double) step.bytes()).toList()) / 1e9,
                    ours.isEmpty()
                            ? ""
                            : String.format(
                                    Locale.ROOT,
                                    "%.1f",
                                    median
                                            / median(ours.stream()
                                                    .map(ShuffleMeter.Step::seconds)
                                                    .toList()))));
        });
        return String.join("\n", lines);
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }
}
