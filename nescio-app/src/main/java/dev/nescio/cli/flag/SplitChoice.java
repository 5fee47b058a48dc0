// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.flag;

import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.graph.split.SplitRule;
import dev.nescio.graph.split.SplitRules;
import dev.nescio.graph.split.StratifiedSplit;
import dev.nescio.io.data.DataSets;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Which split a user means, with a note where it had to be drawn. */
public final class SplitChoice {

    private SplitChoice() {}

    /** @param wanted null for the first split of the graph, or a random one where it has none */
    public static Split of(Graph graph, @Nullable String wanted, Consumer<String> note) {
        if (wanted == null && !graph.splits().isEmpty()) {
            return SplitRules.first(graph);
        }
        String text = wanted == null ? "0" : wanted;
        SplitRule standard = standard(graph);
        Split split = SplitRules.choose(graph, text, standard);
        if (SplitRules.isDrawn(graph, text)) {
            note.accept(graph.name() + " has no splits of its own: using " + split.name() + " (" + standard.summary()
                    + ")");
        }
        return split;
    }

    /** The graphs of the paper are split as the paper does. */
    private static SplitRule standard(Graph graph) {
        boolean isOfThePaper = DataSets.all().stream()
                .filter(set -> !set.storedSplits())
                .flatMap(set -> set.files().stream())
                .anyMatch(version -> version.file().equals(graph.name() + ".npz"));
        return isOfThePaper ? StratifiedSplit.CITATION : SplitRules.standard();
    }

    /** Several splits by names and ranges. */
    public static List<Split> all(Graph graph, List<String> splits, Consumer<String> note) {
        return SplitRules.names(splits).stream()
                .map(name -> of(graph, name, note))
                .toList();
    }
}
