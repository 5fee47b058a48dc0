// SPDX-License-Identifier: Apache-2.0
package dev.nescio.report;

import dev.nescio.detector.NodeExplanation;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Why a node has its score, as text and as a page. */
public final class NodeExplanationReport {

    private static final int BAR = 30;
    private static final int MOST_LINES = 10;

    private NodeExplanationReport() {}

    /** Several lines for a terminal, of which at most ten list neighbours. */
    public static String text(NodeExplanation why) {
        StringBuilder text = new StringBuilder();
        line(text, "%s", why.headline());
        line(text, "");
        if (why.predicted().isEmpty()) {
            line(text, "epistemic %.4g%s", why.epistemic(), ordinary(why));
        } else {
            line(text, "node %s: predicted %s with probability %.3f", why.node(), why.predicted(), why.probability());
            line(text, "aleatoric %.4g, epistemic %.4g%s", why.aleatoric(), why.epistemic(), ordinary(why));
        }
        line(text, "");
        line(text, "what each %s adds to the epistemic score (it is their sum)", part(why));
        int names = why.layers().stream()
                .mapToInt(layer -> layer.state().length())
                .max()
                .orElse(1);
        for (NodeExplanation.Layer layer : why.layers()) {
            line(
                    text,
                    "  %-" + names + "s %-" + BAR + "s %5.1f %%  %.4g",
                    layer.state(),
                    "#".repeat((int) Math.round(BAR * layer.share())),
                    100 * layer.share(),
                    layer.amount());
        }
        if (!why.nearestTraining().isEmpty()) {
            line(text, "");
            line(text, "the nearest training nodes");
        }
        for (NodeExplanation.Compared c : why.nearestTraining()) {
            line(
                    text,
                    "  %-24s distance %-10.4g %s",
                    c.node(),
                    c.distance(),
                    c.trueClass() == null ? "" : "class " + c.trueClass());
        }
        if (!why.features().isEmpty()) {
            line(text, "");
            line(
                    text,
                    "features that lie farthest from %s, in standard deviations of all%s",
                    usual(why),
                    compared(why));
        }
        for (NodeExplanation.Unusual u : why.features()) {
            line(
                    text,
                    "  %-24s %-10.4g %s %-10.4g %+.1f deviations",
                    u.feature(),
                    u.value(),
                    usual(why),
                    u.usual(),
                    u.deviations());
        }
        if (why.degree() > 0) {
            line(text, "");
            line(text, "%s", neighbours(why));
        }
        for (NodeExplanation.Neighbour n :
                why.neighbours().stream().limit(MOST_LINES).toList()) {
            line(
                    text,
                    "  %-24s adds %-+10.4g epistemic %-9.4g predicted %s",
                    n.node(),
                    n.adds(),
                    n.epistemic(),
                    n.predicted());
        }
        return text.toString().stripTrailing();
    }

    /** What the parts of the score are. */
    private static String part(NodeExplanation why) {
        return isCompared(why) ? "layer" : "respect";
    }

    private static boolean isCompared(NodeExplanation why) {
        return !why.nearestTraining().isEmpty();
    }

    private static String usual(NodeExplanation why) {
        return isCompared(why) ? "theirs" : "the mean";
    }

    private static String compared(NodeExplanation why) {
        return isCompared(why) ? " training nodes" : " nodes";
    }

    /** Above the list of neighbours. */
    private static String neighbours(NodeExplanation why) {
        int tried = why.neighbours().size();
        return why.degree() + " neighbours in the graph, by how much larger the score is with the edge than without"
                + (tried < why.degree() ? "; the " + tried + " that are likely to matter most were tried" : "");
    }

    private static String ordinary(NodeExplanation why) {
        Double p = why.pValue();
        return p == null
                ? ""
                : String.format(
                        Locale.ROOT, ", as high or higher for %.1f %% of ordinary nodes (p-value %.4g)", 100 * p, p);
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append(System.lineSeparator());
    }

    /**
     * One page.
     *
     * @param ego the surroundings, to be drawn; null where there are none
     */
    public static String html(NodeExplanation why, @Nullable Ego ego) {
        Markup body = new Markup();
        body.put("h1", "Why node " + why.node() + " has its score");
        body.open("p").put("b", why.headline()).close();
        if (!why.predicted().isEmpty()) {
            body.open("p").text("Predicted ").put("b", why.predicted());
            body.text(String.format(
                            Locale.ROOT,
                            " with probability %.3f%s. Aleatoric uncertainty %.4g, epistemic %.4g%s.",
                            why.probability(),
                            why.trueClass() == null ? "" : " (the label says " + why.trueClass() + ")",
                            why.aleatoric(),
                            why.epistemic(),
                            ordinary(why)))
                    .close();
        }
        if (ego != null) {
            body.open("figure").put(EgoFigure.svg("Surroundings of " + why.node(), ego));
            body.put(
                            "figcaption",
                            "The node in the middle, its neighbours around it, theirs outside. Colours are predicted"
                                    + " classes, larger is more uncertain.")
                    .close();
        }
        layers(body, why);
        table(
                body,
                "Features that lie farthest from "
                        + (isCompared(why) ? "those of the nearest training nodes" : "the mean"),
                List.of("feature", "value", usual(why), "in standard deviations of all" + compared(why)),
                why.features(),
                u -> List.of(u.feature(), number(u.value()), number(u.usual()), number(u.deviations())));
        table(
                body,
                "The nearest training nodes",
                List.of("node", "class", "distance"),
                why.nearestTraining(),
                c -> List.of(c.node(), c.trueClass() == null ? "" : c.trueClass(), number(c.distance())));
        table(
                body,
                "Neighbours in the graph",
                List.of("node", "adds to the score", "its own epistemic score", "predicted"),
                why.neighbours(),
                n -> List.of(n.node(), number(n.adds()), number(n.epistemic()), n.predicted()));
        if (why.degree() > 0) {
            body.put("p", neighbours(why) + ".");
        }
        return Page.study(body);
    }

    private static void layers(Markup body, NodeExplanation why) {
        body.put("h2", "What each " + part(why) + " adds");
        body.put(
                "p",
                "Parts of the epistemic score, which is their sum. "
                        + (isCompared(why)
                                ? "H0 sees the node's own features, H1 also its neighbours, H2 also theirs."
                                : "Each says how rare the node is in that respect: 3 for one in twenty, 4.6 for one in a hundred."));
        body.open("table").open("thead").open("tr");
        List.of(part(why), "adds", "share", "").forEach(name -> body.put("th", name));
        body.close().close().open("tbody");
        for (NodeExplanation.Layer layer : why.layers()) {
            body.open("tr").put("td", layer.state()).put("td", number(layer.amount()));
            body.put("td", String.format(Locale.ROOT, "%.1f %%", 100 * layer.share()));
            body.open("td").put(Svg.bar(layer.share())).close().close();
        }
        body.close().close();
    }

    private static <T> void table(
            Markup body, String title, List<String> header, List<T> rows, Function<T, List<String>> cells) {
        if (rows.isEmpty()) {
            return;
        }
        body.put("h2", title).open("table").open("thead").open("tr");
        header.forEach(name -> body.put("th", name));
        body.close().close().open("tbody");
        for (T row : rows) {
            body.open("tr");
            cells.apply(row).forEach(cell -> body.put("td", cell));
            body.close();
        }
        body.close().close();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.4g", value);
    }
}
