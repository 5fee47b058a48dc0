// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.training;

import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import java.util.ArrayList;
import java.util.List;

/** How long an epoch takes, by trying a few. */
public final class EpochTime {

    private static final int TRIED = 6;

    private EpochTime() {}

    /** Seconds of the fastest one: the first ones also compile. */
    public static double seconds(Architecture architecture, ModelOptions options, Graph graph, Split split) {
        List<Long> ends = new ArrayList<>();
        new Trainer(architecture, options, TrainingOptions.of(1e-3, 1e-4, TRIED, TRIED, 0))
                .train(graph, split, epoch -> ends.add(System.nanoTime()));
        long fastest = Long.MAX_VALUE;
        for (int i = 1; i < ends.size(); i++) {
            fastest = Math.min(fastest, ends.get(i) - ends.get(i - 1));
        }
        return fastest / 1e9;
    }
}
