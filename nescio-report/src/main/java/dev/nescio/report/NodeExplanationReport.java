// SPDX-License-Identifier: Apache-2.0
package dev.nescio.report;

import dev.nescio.detector.NodeExplanation;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Why a node has its score, as text and as a page. */
public final class NodeExplanationReport {

    private static final int BAR = 30;
    private static final int MOST_LINES = 10;

    private NodeExplanationReport() {}

    public static String text(NodeExplanation why) {
        StringBuilder text = new StringBuilder();
        line(text, "node %s: predicted %s with probability %.3f", why.node(), why.predicted(), why.probability());
        line(text, "aleatoric %.4g, epistemic %.4g%s", why.aleatoric(), why.epistemic(), ordinary(why));
        line(text, "");
        line(text, "what each layer adds");
        for (NodeExplanation.Layer layer : why.layers()) {
            line(
                    text,
                    "  %-8s %-" + BAR + "s %5.1f %%  %.4g",
                    layer.state(),
                    "#".repeat((int) Math.round(BAR * layer.share())),
                    100 * layer.share(),
                    layer.amount());
        }
        line(text, "");
        line(text, "the nearest training nodes");
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
            line(text, "features that lie farthest from theirs");
        }
        for (NodeExplanation.Unusual u : why.features()) {
            line(
                    text,
                    "  %-24s %-10.4g theirs %-10.4g %+.1f deviations",
                    u.feature(),
                    u.value(),
                    u.usual(),
                    u.deviations());
        }
        line(text, "");
        line(
                text,
                "%d neighbours in the graph%s",
                why.degree(),
                why.degree() <= MOST_LINES
                        ? ""
                        : why.degree() <= why.neighbours().size()
                                ? ", those that change the score most"
                                : ", those of the first " + why.neighbours().size() + " that change the score most");
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

    /** One page, with the surroundings drawn. */
    public static String html(NodeExplanation why, Ego ego) {
        Markup body = new Markup();
        body.put("h1", "Why node " + why.node() + " has its score");
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
        body.open("figure").put(EgoFigure.svg("Surroundings of " + why.node(), ego));
        body.put(
                        "figcaption",
                        "The node in the middle, its neighbours around it, theirs outside. Colours are predicted"
                                + " classes, larger is more uncertain.")
                .close();
        table(
                body,
                "What each layer adds",
                List.of("layer", "adds", "share"),
                why.layers(),
                l -> List.of(l.state(), number(l.amount()), number(100 * l.share()) + " %"));
        table(
                body,
                "Features that lie farthest from those of the nearest training nodes",
                List.of("feature", "value", "theirs", "deviations"),
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
                "Neighbours in the graph, by how much they change the score",
                List.of("node", "adds", "epistemic", "predicted"),
                why.neighbours(),
                n -> List.of(n.node(), number(n.adds()), number(n.epistemic()), n.predicted()));
        return Page.study(body);
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
