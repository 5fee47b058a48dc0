// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.flag;

import dev.nescio.detector.Decisions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What to decide about nodes. */
public final class DecisionFlags implements Headed {

    @Option(
            names = "--alpha",
            paramLabel = "SHARE",
            description =
                    "Flag unusually uncertain nodes; at most about this share of ordinary nodes is flagged by mistake.")
    @Nullable
    public Double alpha;

    @Option(
            names = "--false-alarms",
            paramLabel = "SHARE",
            description =
                    "List unusual nodes; on average, at most this share of the list is ordinary (Benjamini-Hochberg).")
    @Nullable
    public Double falseAlarms;

    @Option(
            names = "--accuracy",
            paramLabel = "SHARE",
            description = "Abstain from the most uncertain predictions, so that this share of the rest is correct.")
    @Nullable
    public Double accuracy;

    @Option(
            names = "--label-sets",
            paramLabel = "SHARE",
            description = "List all likely labels per node; at most about this share of the sets lacks the true one.")
    @Nullable
    public Double labelSets;

    public Decisions.Wishes wishes() {
        return new Decisions.Wishes(alpha, falseAlarms, accuracy, labelSets);
    }

    @Override
    public String heading() {
        return "Decisions";
    }
}
