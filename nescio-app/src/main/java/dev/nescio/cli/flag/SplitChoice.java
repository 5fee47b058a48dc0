package dev.nescio.cli.flag;

import dev.nescio.graph.Graph;
import dev.nescio.graph.HalvingSplit;
import dev.nescio.graph.Split;
import dev.nescio.graph.StratifiedSplit;
import dev.nescio.problem.BadConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which split a user means: the name of a stored one, {@code stratified:SEED} for 5/15/80 % of each class, or
 * {@code sequential:SEED} for the same shares of what is left, {@code halving:SEED} for 50/25/25 % as the published splits
 * of the heterophilous graphs were drawn. A number serves as a seed where a graph has no splits.
 */
public final class SplitChoice {

    private static final Set<String> RULES = Set.of("stratified", "sequential", "halving");

    private SplitChoice() {}

    /** @param wanted null for the first split of the graph, or a random one where it has none */
    public static Split of(Graph graph, @Nullable String wanted, Consumer<String> note) {
        if (wanted == null && !graph.splits().isEmpty()) {
            return graph.splits().values().iterator().next();
        }
        String choice = wanted == null ? "0" : wanted;
        int colon = choice.indexOf(':');
        String rule = colon < 0 ? "" : choice.substring(0, colon);
        if (RULES.contains(rule)) {
            return drawn(graph, choice, rule, choice.substring(colon + 1));
        }
        if (graph.splits().isEmpty() && choice.matches("\\d+")) {
            note.accept(graph.name() + " has no splits of its own: using stratified:" + choice
                    + " (5 % training, 15 % validation, 80 % test)");
            return drawn(graph, "stratified:" + choice, "stratified", choice);
        }
        return graph.split(choice);
    }

    private static Split drawn(Graph graph, String name, String rule, String seed) {
        try {
            if (rule.equals("halving")) {
                return HalvingSplit.draw(name, graph.labels(), graph.classes().size(), Integer.parseInt(seed));
            }
            return new StratifiedSplit(
                            StratifiedSplit.CITATION.train(),
                            StratifiedSplit.CITATION.validation(),
                            rule.equals("sequential"))
                    .draw(name, graph.labels(), graph.classes().size(), Long.parseLong(seed));
        } catch (NumberFormatException e) {
            throw new BadConfiguration(
                    "expected a number after the colon in split '" + name + "', got '" + seed + "'", e);
        }
    }

    /** Several splits by names and ranges. */
    public static List<Split> all(Graph graph, List<String> splits, Consumer<String> note) {
        return names(splits).stream().map(name -> of(graph, name, note)).toList();
    }

    /** Names as they stand, and ranges such as 0-9 or stratified:0-4 spelled out. */
    private static List<String> names(List<String> splits) {
        List<String> names = new ArrayList<>();
        for (String part : splits) {
            if (!part.matches(".*\\d+-\\d+")) {
                names.add(part);
                continue;
            }
            String prefix = part.replaceFirst("\\d+-\\d+$", "");
            String[] ends = part.substring(prefix.length()).split("-");
            if (ends[0].length() > 6 || ends[1].length() > 6 || Integer.parseInt(ends[0]) > Integer.parseInt(ends[1])) {
                throw new BadConfiguration(
                        "'" + part + "' is not a range of splits: expected FROM-TO, both of at most 6 digits");
            }
            for (int i = Integer.parseInt(ends[0]); i <= Integer.parseInt(ends[1]); i++) {
                names.add(prefix + i);
            }
        }
        return names;
    }
}
