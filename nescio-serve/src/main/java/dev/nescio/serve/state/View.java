// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import dev.nescio.decision.PValues;
import dev.nescio.graph.Overlay;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Orders and counts over all nodes of a {@link State}: computed once per version of the scores. */
public final class View {

    private final State state;
    private final Map<String, int[]> orders;
    private final double[] notTraining;
    private final int training;

    View(State state) {
        this.state = state;
        this.orders = new HashMap<>();
        Columns columns = state.columns();
        this.notTraining = IntStream.range(0, state.nodes())
                .filter(node -> !columns.isTraining(node))
                .mapToDouble(columns::epistemic)
                .sorted()
                .toArray();
        this.training = state.nodes() - notTraining.length;
    }

    private View(State state, View same) {
        this.state = state;
        this.orders = same.orders;
        this.notTraining = same.notTraining;
        this.training = same.training;
    }

    /** The same over another state with the same scores. */
    View on(State other) {
        return new View(other, this);
    }

    /** How many nodes the detector learned from. */
    public int training() {
        return training;
    }

    /** Scores of the nodes that it did not learn from, ascending; the array itself. */
    public double[] notTraining() {
        return notTraining;
    }

    /** How many nodes have a score above a threshold, training nodes left out. */
    public int above(double threshold) {
        int low = 0;
        int high = notTraining.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (notTraining[middle] > threshold) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return notTraining.length - low;
    }

    /** The names of all orders, ascending; a minus before one turns it round. */
    public static final List<String> ORDERS = List.of("epistemic", "aleatoric", "pValue", "id", "degree");

    /**
     * All nodes in an order.
     *
     * @param name one of {@link #ORDERS}
     */
    public int[] order(String name) {
        synchronized (orders) {
            return orders.computeIfAbsent(name, this::sorted);
        }
    }

    /** Whether an order is there already. */
    boolean hasOrder(String name) {
        synchronized (orders) {
            return orders.containsKey(name);
        }
    }

    private int[] sorted(String name) {
        Columns columns = state.columns();
        Overlay overlay = state.overlay();
        return switch (name) {
            case "epistemic" ->
                byValue(IntStream.range(0, state.nodes())
                        .mapToDouble(columns::epistemic)
                        .toArray());
            case "aleatoric" ->
                byValue(IntStream.range(0, state.nodes())
                        .mapToDouble(columns::aleatoric)
                        .toArray());
            case "degree" ->
                byValue(IntStream.range(0, state.nodes())
                        .mapToDouble(overlay::degree)
                        .toArray());
            case "pValue" -> byValue(pValues());
            case "id" -> IndexSort.sorted(state.nodes(), (a, b) -> overlay.id(a).compareTo(overlay.id(b)));
            default ->
                throw new Refused(
                        400,
                        "there is no order '" + State.shortened(name) + "'; orders are " + String.join(", ", ORDERS));
        };
    }

    /** Training nodes have none and come last. */
    private double[] pValues() {
        PValues ordinary = state.loaded().ordinary();
        Columns columns = state.columns();
        double[] values = new double[state.nodes()];
        Arrays.setAll(
                values,
                node -> ordinary == null || columns.isTraining(node) ? 2 : ordinary.of(columns.epistemic(node)));
        return values;
    }

    private static int[] byValue(double[] values) {
        return IndexSort.sorted(values.length, (a, b) -> Double.compare(values[a], values[b]));
    }

    /**
     * Some nodes of a long list.
     *
     * @param total how many the whole list has
     */
    public record Slice(int total, int[] nodes) {}

    /** The nodes that pass a filter, in an order, from one place on. */
    public Slice slice(String order, boolean descending, IntPredicate filter, boolean takesAll, int offset, int limit) {
        int[] all = order(order);
        int count = all.length;
        int[] chosen = new int[Math.min(limit, count)];
        int found = 0;
        if (takesAll) {
            for (long i = offset; i < count && found < chosen.length; i++) {
                chosen[found++] = at(all, (int) i, descending);
            }
            return new Slice(count, Arrays.copyOf(chosen, found));
        }
        int total = 0;
        for (int i = 0; i < count; i++) {
            int node = at(all, i, descending);
            if (filter.test(node)) {
                if (total >= offset && found < chosen.length) {
                    chosen[found++] = node;
                }
                total++;
            }
        }
        return new Slice(total, Arrays.copyOf(chosen, found));
    }

    private static int at(int[] order, int i, boolean descending) {
        return order[descending ? order.length - 1 - i : i];
    }

    /** What a share of false alarms means, in words. */
    public String promise(double alpha) {
        PValues ordinary = state.loaded().ordinary();
        if (ordinary == null) {
            return "Nothing can be flagged: this detector was made without held-out nodes to compare with.";
        }
        double threshold = state.loaded().threshold(alpha);
        if (Double.isInfinite(threshold)) {
            return String.format(
                    Locale.ROOT,
                    "Nothing can be flagged at alpha %s %%: there are too few held-out nodes, at least %d are needed.",
                    shortNumber(100 * alpha),
                    (long) Math.ceil(1 / alpha) - 1);
        }
        return String.format(
                Locale.ROOT,
                "Of ordinary nodes, at most about %s %% are flagged: if all %,d nodes that the detector did not learn from were ordinary, about"
                        + " %,d of them would be false alarms.%s",
                shortNumber(100 * alpha),
                notTraining.length,
                Math.round(alpha * notTraining.length),
                few(ordinary, alpha));
    }

    private static String few(PValues ordinary, double alpha) {
        return ordinary.areFewFor(alpha)
                ? String.format(
                        Locale.ROOT,
                        " %d held-out nodes are few for that: the true share may be as high as %s %%.",
                        ordinary.size(),
                        shortNumber(100 * ordinary.highestShare(alpha)))
                : "";
    }

    private static String shortNumber(double value) {
        return value == Math.rint(value) ? Long.toString(Math.round(value)) : String.format(Locale.ROOT, "%.3g", value);
    }
}
