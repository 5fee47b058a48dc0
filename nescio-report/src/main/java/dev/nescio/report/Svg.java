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
    private static final int BAR_WIDTH = 160;
    private static final int BAR_HEIGHT = 12;
    private static final String FILL = "fill";
    private static final String GREY = "#444";
    /** Of labels below an axis. */
    private static final Object[] SMALL = {FILL, GREY, "font-size", 11};

    private static final String[] COLOURS = {
        "#1b6ca8", "#d1495b", "#2e933c", "#edae49", "#6a4c93", "#00798c", "#8d6a4f", "#555555"
    };

    private final Markup markup;
    private final int height;

    private Svg(int height, String title) {
        this.height = height;
        this.markup = canvas(WIDTH, height, title, 12);
        label(LEFT, 20, title, "start", "font-weight", "600", "font-size", 14);
    }

    /** A white drawing, still open. */
    static Markup canvas(int width, int height, String title, int fontSize) {
        return new Markup()
                .open(
                        "svg",
                        "xmlns",
                        "http://www.w3.org/2000/svg",
                        "viewBox",
                        "0 0 " + width + " " + height,
                        "role",
                        "img",
                        "aria-label",
                        title,
                        "font-family",
                        "system-ui, sans-serif",
                        "font-size",
                        fontSize)
                .put("rect", "", "width", width, "height", height, "fill", "#ffffff");
    }

    /**
     * A curve.
     *
     * @param errors how far each point may be off, up and down; none for a plain line
     */
    public record Series(String name, double[] x, double[] y, boolean dashed, double[] errors) {

        /** A curve without errors. */
        public Series(String name, double[] x, double[] y, boolean dashed) {
            this(name, x, y, dashed, new double[0]);
        }
    }

    /** Bars of one colour, one per group; NaN for none. */
    public record Bars(String name, double[] values) {}

    /** A small bar for a cell of a table, as long as a share. */
    static Markup bar(double share) {
        double length = Math.max(0, Math.min(1, share)) * BAR_WIDTH;
        return new Markup()
                .open("svg", "width", BAR_WIDTH, "height", BAR_HEIGHT, "role", "img")
                .put("title", Markup.fixed(100 * share, 1) + " %")
                .open("rect", "width", Markup.fixed(length, 1), "height", BAR_HEIGHT, FILL, colour(0))
                .close()
                .close();
    }

    /**
     * Curves over one x axis, which spans their points; the y axis goes from {@code low} to {@code high}. Points whose y is not
     * finite are left out.
     */
    public static Markup lines(String title, String xName, String yName, List<Series> series, double low, double high) {
        Svg svg = new Svg(HEIGHT, title);
        double from =
                series.stream().flatMapToDouble(s -> Arrays.stream(s.x)).min().orElse(0);
        double to =
                series.stream().flatMapToDouble(s -> Arrays.stream(s.x)).max().orElse(1);
        svg.yAxis(yName, low, high);
        double span = to > from ? to - from : 1;
        for (int i = 0; i <= 5; i++) {
            double x = from + span * i / 5;
            svg.label(svg.x((x - from) / span), HEIGHT - BOTTOM + 18, number(x), "middle", FILL, GREY);
        }
        svg.label((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12, xName, "middle", FILL, GREY);
        for (int s = 0; s < series.size(); s++) {
            Series one = series.get(s);
            StringBuilder points = new StringBuilder();
            for (int i = 0; i < one.x.length; i++) {
                if (Double.isFinite(one.y[i])) {
                    double x = svg.x((one.x[i] - from) / span);
                    double y = svg.y((one.y[i] - low) / (high - low));
                    points.append(Markup.fixed(x, 1))
                            .append(',')
                            .append(Markup.fixed(y, 1))
                            .append(' ');
                    if (one.errors.length > 0 && one.errors[i] > 0) {
                        double top = svg.y((Math.min(high, one.y[i] + one.errors[i]) - low) / (high - low));
                        double bottom = svg.y((Math.max(low, one.y[i] - one.errors[i]) - low) / (high - low));
                        svg.line(x, top, x, bottom, colour(s));
                    }
                }
            }
            svg.markup.put(
                    "polyline",
                    "",
                    "points",
                    points,
                    FILL,
                    "none",
                    "stroke",
                    colour(s),
                    "stroke-width",
                    2,
                    "stroke-dasharray",
                    one.dashed ? "5 4" : "none");
            svg.legend(s, one.name);
        }
        return svg.finish();
    }

    /**
     * Groups of bars side by side, in each group one of every colour; values are cut off at {@code low} and {@code high}. Every
     * {@link Bars} has one value per group.
     */
    public static Markup bars(
            String title, String yName, List<String> groups, List<Bars> bars, double low, double high) {
        Svg svg = new Svg(HEIGHT, title);
        svg.yAxis(yName, low, high);
        double groupWidth = (WIDTH - LEFT - RIGHT) / (double) Math.max(1, groups.size());
        double barWidth = groupWidth * 0.84 / Math.max(1, bars.size());
        for (int g = 0; g < groups.size(); g++) {
            double begin = LEFT + g * groupWidth;
            svg.label(begin + groupWidth / 2, HEIGHT - BOTTOM + 18, groups.get(g), "middle", SMALL);
            for (int b = 0; b < bars.size(); b++) {
                double value = bars.get(b).values[g];
                if (Double.isFinite(value)) {
                    double top = svg.y((Math.max(low, Math.min(high, value)) - low) / (high - low));
                    svg.rectangle(
                            begin + groupWidth * 0.08 + b * barWidth,
                            top,
                            Math.max(1, barWidth - 1),
                            HEIGHT - BOTTOM - top,
                            colour(b),
                            groups.get(g) + ", " + bars.get(b).name + ": " + Markup.fixed(value, 1));
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
    public static Markup waterfall(String title, String yName, List<Step> steps, double high) {
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
            svg.rectangle(
                    LEFT + i * width + 0.12 * width, top, 0.76 * width, Math.max(1, bottom - top), colour, step.name);
            double middle = LEFT + (i + 0.5) * width;
            svg.label(middle, HEIGHT - BOTTOM + 18, step.name, "middle", SMALL);
            svg.label(
                    middle,
                    top - 5,
                    String.format(Locale.ROOT, step.isChange ? "%+.2f" : "%.2f", step.to - step.from),
                    "middle",
                    "font-size",
                    11);
        }
        return svg.finish();
    }

    /** A bar of a waterfall: an amount from 0, or a change from one amount to the next. */
    public record Step(String name, double from, double to, boolean isChange) {}

    /** A square matrix of shares, darker for more. */
    public static Markup heatmap(String title, double[][] matrix) {
        int side = Math.min(44, 300 / Math.max(1, matrix.length));
        Svg svg = new Svg(TOP + 30 + side * matrix.length + 20, title);
        for (int i = 0; i < matrix.length; i++) {
            svg.label(LEFT - 8, TOP + 30 + side * (i + 0.6), "" + i, "end", FILL, GREY);
            svg.label(LEFT + side * (i + 0.5), TOP + 22, "" + i, "middle", FILL, GREY);
            for (int j = 0; j < matrix[i].length; j++) {
                double value = matrix[i][j];
                svg.markup.put(
                        "rect",
                        "",
                        "x",
                        LEFT + side * j,
                        "y",
                        TOP + 30 + side * i,
                        "width",
                        side,
                        "height",
                        side,
                        FILL,
                        "#1b6ca8",
                        "fill-opacity",
                        Markup.fixed(Math.min(1, Math.max(0.02, value)), 3),
                        "stroke",
                        "#fff");
                if (side >= 26) {
                    svg.label(
                            LEFT + side * (j + 0.5),
                            TOP + 30 + side * (i + 0.62),
                            String.format(Locale.ROOT, "%.2f", value),
                            "middle",
                            "font-size",
                            10,
                            FILL,
                            value > 0.55 ? "#fff" : "#222");
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
            line(LEFT, at, WIDTH - RIGHT, at, "#ddd");
            label(LEFT - 8, at + 4, number(value), "end", FILL, GREY);
        }
        markup.put(
                "text",
                name,
                "x",
                14,
                "y",
                height / 2,
                "text-anchor",
                "middle",
                FILL,
                GREY,
                "transform",
                "rotate(-90 14 " + height / 2 + ")");
    }

    private void line(double x1, double y1, double x2, double y2, String colour) {
        markup.put(
                "line",
                "",
                "x1",
                Markup.fixed(x1, 1),
                "y1",
                Markup.fixed(y1, 1),
                "x2",
                Markup.fixed(x2, 1),
                "y2",
                Markup.fixed(y2, 1),
                "stroke",
                colour);
    }

    /** With words that appear where somebody points. */
    private void rectangle(double x, double y, double width, double rectangleHeight, String colour, String words) {
        markup.open(
                        "rect",
                        "x",
                        Markup.fixed(x, 1),
                        "y",
                        Markup.fixed(y, 1),
                        "width",
                        Markup.fixed(width, 1),
                        "height",
                        Markup.fixed(rectangleHeight, 1),
                        FILL,
                        colour)
                .put("title", words)
                .close();
    }

    private void legend(int i, String name) {
        int at = TOP + 10 + 18 * i;
        markup.put("rect", "", "x", WIDTH - RIGHT + 12, "y", at, "width", 12, "height", 12, FILL, colour(i));
        label(WIDTH - RIGHT + 30, at + 10, name, "start");
    }

    private void label(double x, double y, String words, String anchor, Object... more) {
        List<Object> attributes =
                new ArrayList<>(List.of("x", Markup.fixed(x, 1), "y", Markup.fixed(y, 1), "text-anchor", anchor));
        attributes.addAll(List.of(more));
        markup.put("text", words, attributes.toArray());
    }

    private Markup finish() {
        return markup.close();
    }

    /** The colour of the i-th series, as {@code #rrggbb}; after eight they repeat. */
    public static String colour(int i) {
        return COLOURS[i % COLOURS.length];
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, Math.abs(value) >= 10 || value == Math.rint(value) ? "%.0f" : "%.2f", value);
    }
}
