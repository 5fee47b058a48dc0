// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph.split;

import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.option.Nearest;
import dev.nescio.problem.BadConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The registry of rules that draw splits, and what users may write for a split. */
public final class SplitRules {

    private static final List<SplitRule> ALL =
            List.of(SharesSplit.MOST, StratifiedSplit.CITATION, StratifiedSplit.SEQUENTIAL, new HalvingSplit());

    private static final String RANGE = "\\d+-\\d+$";
    private static final int MOST_DIGITS = 6;

    private SplitRules() {}

    /**
     * All rules in the order of the help, the standard one first.
     *
     * <pre>{@code
     * SplitRules.all().forEach(rule -> System.out.println(rule.name() + ": " + rule.summary()));
     * Split split = SplitRules.choose(graph, "60/20/20:7");
     * }</pre>
     */
    public static List<SplitRule> all() {
        return ALL;
    }

    /** How a split is written, for the help: {@code 60/20/20:SEED, stratified:SEED, sequential:SEED or halving:SEED}. */
    public static String forms() {
        List<String> forms = ALL.stream().map(rule -> rule.name() + ":SEED").toList();
        int last = forms.size() - 1;
        return String.join(", ", forms.subList(0, last)) + " or " + forms.get(last);
    }

    /** The rule for graphs that bring no split of their own. */
    public static SplitRule standard() {
        return SharesSplit.MOST;
    }

    /** The first split of a graph, or one that is drawn where it has none. */
    public static Split first(Graph graph) {
        return graph.splits().isEmpty()
                ? standard().draw(graph, 0)
                : graph.splits().values().iterator().next();
    }

    /** Whether {@link #choose} draws a split for this text because the graph has none of its own. */
    public static boolean isDrawn(Graph graph, String text) {
        return graph.splits().isEmpty() && text.matches("\\d+");
    }

    /**
     * The split that somebody means: a stored one by its name, one that is drawn as {@code RULE:SEED}, or by a seed alone where a
     * graph has no splits.
     */
    public static Split choose(Graph graph, String text) {
        return choose(graph, text, standard());
    }

    /** @param standard the rule where a seed alone is given */
    public static Split choose(Graph graph, String text, SplitRule standard) {
        if (graph.splits().containsKey(text)) {
            return graph.split(text);
        }
        if (isDrawn(graph, text)) {
            return standard.draw(graph, seed(text, text));
        }
        if (SharesSplit.isWritten(text)) {
            return SharesSplit.parse(text).draw(graph, 0);
        }
        int colon = text.indexOf(':');
        return colon < 0
                ? graph.split(text)
                : rule(text.substring(0, colon)).draw(graph, seed(text, text.substring(colon + 1)));
    }

    private static SplitRule rule(String name) {
        if (SharesSplit.isWritten(name)) {
            return SharesSplit.parse(name);
        }
        return ALL.stream()
                .filter(rule -> rule.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new BadConfiguration("there is no rule '" + name + "' for splits; "
                        + Nearest.hint(name, ALL.stream().map(SplitRule::name).toList())));
    }

    private static int seed(String text, String seed) {
        try {
            return Integer.parseInt(seed);
        } catch (NumberFormatException e) {
            throw new BadConfiguration(
                    text.equals(seed)
                            ? "expected the name of a split or a whole number of at most ten digits, got '" + text + "'"
                            : "expected a whole number after the colon in split '" + text + "', got '" + seed + "'",
                    e);
        }
    }

    /** Several splits by names and ranges: {@code 0-9}, {@code stratified:0-4}, {@code planetoid}. */
    public static List<String> names(List<String> texts) {
        return texts.stream().flatMap(SplitRules::expanded).collect(Collectors.toCollection(ArrayList::new));
    }

    private static Stream<String> expanded(String text) {
        if (!text.matches(".*" + RANGE)) {
            return Stream.of(text);
        }
        String prefix = text.replaceFirst(RANGE, "");
        String[] ends = text.substring(prefix.length()).split("-");
        boolean isShort = ends[0].length() <= MOST_DIGITS && ends[1].length() <= MOST_DIGITS;
        if (!isShort || Integer.parseInt(ends[0]) > Integer.parseInt(ends[1])) {
            throw new BadConfiguration("'" + text + "' is not a range of splits: expected FROM-TO, both of at most "
                    + MOST_DIGITS + " digits");
        }
        return Stream.iterate(Integer.parseInt(ends[0]), i -> i <= Integer.parseInt(ends[1]), i -> i + 1)
                .map(i -> prefix + i);
    }
}
