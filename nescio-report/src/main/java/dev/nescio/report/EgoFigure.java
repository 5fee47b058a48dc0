// SPDX-License-Identifier: Apache-2.0
package dev.nescio.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Draws the surroundings of a node: rings by distance, every node near those that it is joined to. */
final class EgoFigure {

    private static final int SIZE = 720;
    private static final double[] RADII = {0, 150, 300};
    private static final double SMALLEST = 4;
    private static final double LARGEST = 16;

    private EgoFigure() {}

    static String svg(String title, Ego ego) {
        double[] angles = angles(ego);
        List<String> classes = ego.nodes().stream()
                .map(Ego.Node::predicted)
                .distinct()
                .sorted()
                .toList();
        StringBuilder text = new StringBuilder(String.format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\""
                        + " font-family=\"system-ui, sans-serif\" font-size=\"11\">%n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>%n",
                SIZE, SIZE, Svg.escaped(title), SIZE, SIZE));
        for (int[] edge : ego.edges()) {
            text.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#bbb\" stroke-width=\"%s\"/>%n",
                    x(ego, angles, edge[0]),
                    y(ego, angles, edge[0]),
                    x(ego, angles, edge[1]),
                    y(ego, angles, edge[1]),
                    Math.min(edge[0], edge[1]) == 0 ? "1.6" : "0.7"));
        }
        for (int i = 0; i < ego.nodes().size(); i++) {
            Ego.Node node = ego.nodes().get(i);
            double radius = SMALLEST + (LARGEST - SMALLEST) * Math.sqrt(node.unusual());
            text.append(String.format(
                    Locale.ROOT,
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\" stroke=\"%s\" stroke-width=\"%s\"><title>%s: predicted %s,"
                            + " epistemic %.4g</title></circle>%n",
                    x(ego, angles, i),
                    y(ego, angles, i),
                    radius,
                    Svg.colour(classes.indexOf(node.predicted())),
                    i == 0 ? "#000" : "#fff",
                    i == 0 ? "3" : "1",
                    Svg.escaped(node.id()),
                    Svg.escaped(node.predicted()),
                    node.epistemic()));
            if (node.distance() < 2) {
                text.append(String.format(
                        Locale.ROOT,
                        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"#222\">%s</text>%n",
                        x(ego, angles, i),
                        y(ego, angles, i) - radius - 4,
                        Svg.escaped(shortened(node.id()))));
            }
        }
        for (int c = 0; c < classes.size(); c++) {
            text.append(String.format(
                    "<circle cx=\"14\" cy=\"%d\" r=\"6\" fill=\"%s\"/><text x=\"26\" y=\"%d\" fill=\"#222\">%s</text>%n",
                    18 + 18 * c, Svg.colour(c), 22 + 18 * c, Svg.escaped(shortened(classes.get(c)))));
        }
        return text.append("</svg>\n").toString();
    }

    private static String shortened(String text) {
        return text.length() <= 18 ? text : text.substring(0, 17) + "…";
    }

    private static double x(Ego ego, double[] angles, int i) {
        return SIZE / 2.0 + RADII[ego.nodes().get(i).distance()] * Math.cos(angles[i]);
    }

    private static double y(Ego ego, double[] angles, int i) {
        return SIZE / 2.0 + RADII[ego.nodes().get(i).distance()] * Math.sin(angles[i]);
    }

    /** Neighbours evenly around; those behind them sorted by the neighbours that they belong to. */
    private static double[] angles(Ego ego) {
        int count = ego.nodes().size();
        double[] angles = new double[count];
        List<Integer> ring = ring(ego, 1);
        for (int i = 0; i < ring.size(); i++) {
            angles[ring.get(i)] = 2 * Math.PI * i / ring.size() - Math.PI / 2;
        }
        double[] wish = new double[count];
        for (int[] edge : ego.edges()) {
            for (int end = 0; end < 2; end++) {
                if (ego.nodes().get(edge[end]).distance() == 2
                        && ego.nodes().get(edge[1 - end]).distance() == 1) {
                    wish[edge[end]] = angles[edge[1 - end]];
                }
            }
        }
        List<Integer> outer = ring(ego, 2);
        outer.sort((a, b) -> Double.compare(wish[a], wish[b]));
        for (int i = 0; i < outer.size(); i++) {
            angles[outer.get(i)] = 2 * Math.PI * i / outer.size() - Math.PI / 2;
        }
        return angles;
    }

    private static List<Integer> ring(Ego ego, int distance) {
        List<Integer> ring = new ArrayList<>();
        for (int i = 0; i < ego.nodes().size(); i++) {
            if (ego.nodes().get(i).distance() == distance) {
                ring.add(i);
            }
        }
        return ring;
    }
}
