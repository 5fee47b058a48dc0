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

    static Markup svg(String title, Ego ego) {
        double[] angles = angles(ego);
        List<String> classes = ego.nodes().stream()
                .map(Ego.Node::predicted)
                .distinct()
                .sorted()
                .toList();
        Markup drawing = Svg.canvas(SIZE, SIZE, title, 11);
        for (int[] edge : ego.edges()) {
            drawing.put(
                    "line",
                    "",
                    "x1",
                    at(x(ego, angles, edge[0])),
                    "y1",
                    at(y(ego, angles, edge[0])),
                    "x2",
                    at(x(ego, angles, edge[1])),
                    "y2",
                    at(y(ego, angles, edge[1])),
                    "stroke",
                    "#bbb",
                    "stroke-width",
                    Math.min(edge[0], edge[1]) == 0 ? "1.6" : "0.7");
        }
        for (int i = 0; i < ego.nodes().size(); i++) {
            Ego.Node node = ego.nodes().get(i);
            double radius = SMALLEST + (LARGEST - SMALLEST) * Math.sqrt(node.unusual());
            drawing.open(
                            "circle",
                            "cx",
                            at(x(ego, angles, i)),
                            "cy",
                            at(y(ego, angles, i)),
                            "r",
                            at(radius),
                            "fill",
                            Svg.colour(classes.indexOf(node.predicted())),
                            "stroke",
                            i == 0 ? "#000" : "#fff",
                            "stroke-width",
                            i == 0 ? "3" : "1")
                    .put(
                            "title",
                            String.format(
                                    Locale.ROOT,
                                    "%s: predicted %s, epistemic %.4g",
                                    node.id(),
                                    node.predicted(),
                                    node.epistemic()))
                    .close();
            if (node.distance() < 2) {
                drawing.put(
                        "text",
                        shortened(node.id()),
                        "x",
                        at(x(ego, angles, i)),
                        "y",
                        at(y(ego, angles, i) - radius - 4),
                        "text-anchor",
                        "middle",
                        "fill",
                        "#222");
            }
        }
        for (int c = 0; c < classes.size(); c++) {
            drawing.put("circle", "", "cx", 14, "cy", 18 + 18 * c, "r", 6, "fill", Svg.colour(c));
            drawing.put("text", shortened(classes.get(c)), "x", 26, "y", 22 + 18 * c, "fill", "#222");
        }
        return drawing.close();
    }

    private static String at(double coordinate) {
        return Markup.fixed(coordinate, 1);
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
