// SPDX-License-Identifier: Apache-2.0
package dev.nescio.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Draws simple charts as SVG: they look alike on a page, in a file and in print. */
public final class Svg {

    private static final int WIDTH = 740;
    private static final int HEIGHT = 360;
    private static final int LEFT = 56;
    private static final int RIGHT = 170;
    private static final int TOP = 34;
    private static final int BOTTOM = 54;
    private static final String[] COLOURS = {
        "#1b6ca8", "#d1495b", "#2e933c", "#edae49", "#6a4c93", "#00798c", "#8d6a4f", "#555555"
    };

    private final StringBuilder text = new StringBuilder();
    private final int height;

    private Svg(int height, String title) {
        this.height = height;
        text.append(String.format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\""
                        + " font-family=\"system-ui, sans-serif\" font-size=\"12\">%n",
                WIDTH, height, escaped(title)));
        text.append(String.format("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>%n", WIDTH, height));
        label(LEFT, 20, title, "start", "font-weight=\"600\" font-size=\"14\"");
    }

    /** A curve. */
    public record Series(String name, double[] x, double[] y, boolean dashed) {}

    /** Bars of one colour, one per group; NaN for none. */
    public record Bars(String name, double[] values) {}

    public static String lines(String title, String xName, String yName, List<Series> series, double low, double high) {
        Svg svg = new Svg(HEIGHT, title);
        double from =
                series.stream().flatMapToDouble(s -> Arrays.stream(s.x)).min().orElse(0);
        double to =
                series.stream().flatMapToDouble(s -> Arrays.stream(s.x)).max().orElse(1);
        svg.yAxis(yName, low, high);
        double span = to > from ? to - from : 1;
        for (int i = 0; i <= 5; i++) {
            double x = from + span * i / 5;
            svg.label(svg.x((x - from) / span), HEIGHT - BOTTOM + 18, number(x), "middle", "fill=\"#444\"");
        }
        svg.label((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12, xName, "middle", "fill=\"#444\"");
        for (int s = 0; s < series.size(); s++) {
            Series one = series.get(s);
            StringBuilder points = new StringBuilder();
            for (int i = 0; i < one.x.length; i++) {
                if (Double.isFinite(one.y[i])) {
                    points.append(String.format(
                            Locale.ROOT,
                            "%.1f,%.1f ",
                            svg.x((one.x[i] - from) / span),
                            svg.y((one.y[i] - low) / (high - low))));
                }
            }
            svg.text.append(String.format(
                    "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>%n",
                    points, colour(s), one.dashed ? " stroke-dasharray=\"5 4\"" : ""));
            svg.legend(s, one.name);
        }
        return svg.finish();
    }

    public static String bars(
            String title, String yName, List<String> groups, List<Bars> bars, double low, double high) {
        Svg svg = new Svg(HEIGHT, title);
        svg.yAxis(yName, low, high);
        double groupWidth = (WIDTH - LEFT - RIGHT) / (double) Math.max(1, groups.size());
        double barWidth = groupWidth * 0.84 / Math.max(1, bars.size());
        for (int g = 0; g < groups.size(); g++) {
            double begin = LEFT + g * groupWidth;
            svg.label(
                    begin + groupWidth / 2,
                    HEIGHT - BOTTOM + 18,
                    groups.get(g),
                    "middle",
                    "fill=\"#444\" font-size=\"11\"");
            for (int b = 0; b < bars.size(); b++) {
                double value = bars.get(b).values[g];
                if (Double.isFinite(value)) {
                    double top = svg.y((Math.max(low, Math.min(high, value)) - low) / (high - low));
                    svg.text.append(String.format(
                            Locale.ROOT,
                            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"><title>%s, %s: %.1f</title></rect>%n",
                            begin + groupWidth * 0.08 + b * barWidth,
                            top,
                            Math.max(1, barWidth - 1),
                            HEIGHT - BOTTOM - top,
                            colour(b),
                            escaped(groups.get(g)),
                            escaped(bars.get(b).name),
                            value));
                }
            }
        }
        for (int b = 0; b < bars.size(); b++) {
            svg.legend(b, bars.get(b).name);
        }
        return svg.finish();
    }

    /**
     * Amounts and how one becomes the next: bars that stand on the axis, and between them bars that hang where they change it.
     */
    public static String waterfall(String title, String yName, List<Step> steps, double high) {
        Svg svg = new Svg(HEIGHT, title);
        double low = Math.min(
                0, steps.stream().mapToDouble(s -> Math.min(s.from, s.to)).min().orElse(0));
        svg.yAxis(yName, low, high);
        double width = (WIDTH - LEFT - RIGHT) / (double) Math.max(1, steps.size());
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            double top = svg.y((Math.max(step.from, step.to) - low) / (high - low));
            double bottom = svg.y((Math.min(step.from, step.to) - low) / (high - low));
            String colour =
                    step.from == 0 && !step.isChange ? COLOURS[0] : step.to >= step.from ? COLOURS[2] : COLOURS[1];
            svg.text.append(String.format(
                    Locale.ROOT,
                    "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>%n",
                    LEFT + i * width + 0.12 * width,
                    top,
                    0.76 * width,
                    Math.max(1, bottom - top),
                    colour));
            double middle = LEFT + (i + 0.5) * width;
            svg.label(middle, HEIGHT - BOTTOM + 18, step.name, "middle", "fill=\"#444\" font-size=\"11\"");
            svg.label(
                    middle,
                    top - 5,
                    String.format(Locale.ROOT, step.isChange ? "%+.2f" : "%.2f", step.to - step.from),
                    "middle",
                    "font-size=\"11\"");
        }
        return svg.finish();
    }

    /** A bar of a waterfall: an amount from 0, or a change from one amount to the next. */
    public record Step(String name, double from, double to, boolean isChange) {}

    /** A square matrix of shares, darker for more. */
    public static String heatmap(String title, double[][] matrix) {
        int side = Math.min(44, 300 / Math.max(1, matrix.length));
        Svg svg = new Svg(TOP + 30 + side * matrix.length + 20, title);
        for (int i = 0; i < matrix.length; i++) {
            svg.label(LEFT - 8, TOP + 30 + side * (i + 0.6), "" + i, "end", "fill=\"#444\"");
            svg.label(LEFT + side * (i + 0.5), TOP + 22, "" + i, "middle", "fill=\"#444\"");
            for (int j = 0; j < matrix[i].length; j++) {
                double value = matrix[i][j];
                svg.text.append(String.format(
                        Locale.ROOT,
                        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#1b6ca8\" fill-opacity=\"%.3f\" stroke=\"#fff\"/>%n",
                        LEFT + side * j,
                        TOP + 30 + side * i,
                        side,
                        side,
                        Math.min(1, Math.max(0.02, value))));
                if (side >= 26) {
                    svg.label(
                            LEFT + side * (j + 0.5),
                            TOP + 30 + side * (i + 0.62),
                            String.format(Locale.ROOT, "%.2f", value),
                            "middle",
                            "font-size=\"10\" fill=\"" + (value > 0.55 ? "#fff" : "#222") + "\"");
                }
            }
        }
        return svg.finish();
    }

    private double x(double share) {
        return LEFT + share * (WIDTH - LEFT - RIGHT);
    }

    private double y(double share) {
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
    }

    private void yAxis(String name, double low, double high) {
        for (int i = 0; i <= 5; i++) {
            double value = low + (high - low) * i / 5;
            double at = y(i / 5.0);
            text.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>%n",
                    LEFT,
                    at,
                    WIDTH - RIGHT,
                    at));
            label(LEFT - 8, at + 4, number(value), "end", "fill=\"#444\"");
        }
        text.append(String.format(
                "<text x=\"14\" y=\"%d\" text-anchor=\"middle\" fill=\"#444\" transform=\"rotate(-90 14 %d)\">%s</text>%n",
                height / 2, height / 2, escaped(name)));
    }

    private void legend(int i, String name) {
        int at = TOP + 10 + 18 * i;
        text.append(String.format(
                "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/>%n",
                WIDTH - RIGHT + 12, at, colour(i)));
        label(WIDTH - RIGHT + 30, at + 10, name, "start", "");
    }

    private void label(double x, double y, String words, String anchor, String more) {
        text.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>%s</text>%n",
                x,
                y,
                anchor,
                more,
                escaped(words)));
    }

    private String finish() {
        return text.append("</svg>\n").toString();
    }

    public static String colour(int i) {
        return COLOURS[i % COLOURS.length];
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, Math.abs(value) >= 10 || value == Math.rint(value) ? "%.0f" : "%.2f", value);
    }

    public static String escaped(String words) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < words.length(); i++) {
            char c = words.charAt(i);
            parts.add(
                    switch (c) {
                        case '<' -> "&lt;";
                        case '>' -> "&gt;";
                        case '&' -> "&amp;";
                        case '"' -> "&quot;";
                        default -> String.valueOf(c);
                    });
        }
        return String.join("", parts);
    }
}
