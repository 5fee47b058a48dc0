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
                    "Flag nodes that are more uncertain than ordinary ones; at most about this share of those is flagged too.")
    @Nullable
    public Double alpha;

    @Option(
            names = "--false-alarms",
            paramLabel = "SHARE",
            description =
                    "List unusual nodes, of which at most this share is ordinary on average (Benjamini-Hochberg).")
    @Nullable
    public Double falseAlarms;

    @Option(
            names = "--accuracy",
            paramLabel = "SHARE",
            description = "Abstain from the most doubtful predictions, so that this share of the others is right.")
    @Nullable
    public Double accuracy;

    @Option(
            names = "--label-sets",
            paramLabel = "SHARE",
            description = "Give all labels that are likely; at most about this share of the sets lacks the true one.")
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
