// SPDX-License-Identifier: Apache-2.0
package dev.nescio.paper;

import dev.nescio.metric.Spread;
import dev.nescio.shift.Shift;
import dev.nescio.shift.Shifts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.DoublePredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What the paper states, held against what was found: in words, with the numbers. */
public final class Findings {

    private static final List<Shift> SHIFTS = List.of(Shifts.LEAVE_OUT, Shifts.NEAR, Shifts.FAR);
    private static final String BACKBONE = "res-gcn";
    private static final double HOMOPHILIC = 0.5;
    /** The last place of six that still is the better half. */
    private static final int KEEPS_UP = 3;
    /** Points of AUC-ROC that count as a tie. */
    private static final double TIE = 0.5;

    private final Results results;
    private final StudyTables tables;

    /**
     * @param question that the paper answers with yes
     * @param answer yes, no, partly, or what is missing, with the numbers
     */
    record Finding(String question, String answer) {}

    Findings(Results results, StudyTables tables) {
        this.results = results;
        this.tables = tables;
    }

    List<Finding> all() {
        List<Finding> all = new ArrayList<>();
        all.add(ranking("Does JLDE lead on heterophilic graphs?", this::isHeterophilic, 1));
        all.add(layers());
        all.add(ranking("Does it keep up on homophilic graphs?", data -> !isHeterophilic(data), KEEPS_UP));
        if (!results.moons().isEmpty()) {
            all.add(moons());
        }
        all.add(relative());
        return all;
    }

    private boolean isHeterophilic(String data) {
        return results.statistic(data, "edge_homophily") < HOMOPHILIC;
    }

    private interface Kind {
        boolean has(String data);
    }

    /**
     * Mean rank of the six estimators over the data sets of a kind, on Res-GCN and, where there are others, on all backbones.
     *
     * @param needed the last place that means yes
     */
    private Finding ranking(String question, Kind kind, int needed) {
        List<String> backbones = results.models().stream()
                .filter(model -> !ranked(kind, model).isEmpty())
                .toList();
        if (!backbones.contains(BACKBONE)) {
            return new Finding(question, "Not known yet: no such data set has all six estimators and three shifts.");
        }
        Ranking own = ranking(kind, List.of(BACKBONE));
        String answer = (own.place() <= needed ? "Yes" : "No") + ": it is in place " + own.place()
                + " of six by average rank on Res-GCN over "
                + ranked(kind, BACKBONE).stream().map(results::title).collect(Collectors.joining(", ")) + " ("
                + own.describe() + ").";
        if (backbones.size() > 1) {
            Ranking all = ranking(kind, backbones);
            answer += " On all " + backbones.size() + " backbones together ("
                    + backbones.stream().map(PaperNames::model).collect(Collectors.joining(", "))
                    + ") it is in place " + all.place() + " (" + all.describe() + ").";
        }
        return new Finding(question, answer);
    }

    private List<String> ranked(Kind kind, String model) {
        return results.data().stream()
                .filter(kind::has)
                .filter(data -> Double.isFinite(tables.ranks(data, model, "auc_roc")[0]))
                .toList();
    }

    /**
     * @param mean ranks of the six
     * @param paper JLDE's mean rank there in the paper; NaN where it has none
     */
    private record Ranking(double[] mean, double paper) {

        long place() {
            double jlde = mean[StudyTables.SIX.indexOf("jlde")];
            return 1 + Arrays.stream(mean).filter(m -> m < jlde - 1e-9).count();
        }

        String describe() {
            return IntStream.range(0, mean.length)
                            .boxed()
                            .sorted(Comparator.comparingDouble(e -> mean[e]))
                            .map(e -> PaperNames.estimator("", StudyTables.SIX.get(e)) + number(" %.2f", mean[e]))
                            .collect(Collectors.joining(", "))
                    + (Double.isNaN(paper) ? "" : number("; the paper's JLDE has %.2f there", paper));
        }
    }

    private Ranking ranking(Kind kind, List<String> models) {
        double[] sum = new double[StudyTables.SIX.size()];
        double paper = 0;
        int cells = 0;
        for (String model : models) {
            for (String data : ranked(kind, model)) {
                double[] ranks = tables.ranks(data, model, "auc_roc");
                for (int e = 0; e < sum.length; e++) {
                    sum[e] += ranks[e];
                }
                paper += tables.paperRank(data, model, "jlde");
                cells++;
            }
        }
        int count = cells;
        return new Ranking(Arrays.stream(sum).map(s -> s / count).toArray(), paper / count);
    }

    /** Relative states against the paper's, on every data set, backbone and shift that has both. */
    private Finding relative() {
        String question = "Is jlde-relative, which compares directions and lengths, better than JLDE?";
        List<double[]> pairs = new ArrayList<>();
        for (String data : results.data()) {
            for (String model : results.models()) {
                for (Shift shift : SHIFTS) {
                    double relative = results.get(data, model, "jlde-relative", shift, "auc_roc")
                            .mean();
                    double plain =
                            results.get(data, model, "jlde", shift, "auc_roc").mean();
                    if (Double.isFinite(relative + plain)) {
                        pairs.add(new double[] {100 * relative, 100 * plain});
                    }
                }
            }
        }
        if (pairs.isEmpty()) {
            return new Finding(question, "Not known yet: it has not been run.");
        }
        double relative = pairs.stream().mapToDouble(p -> p[0]).average().orElseThrow();
        double plain = pairs.stream().mapToDouble(p -> p[1]).average().orElseThrow();
        long better = pairs.stream().filter(p -> p[0] > p[1] + TIE).count();
        long worse = pairs.stream().filter(p -> p[0] < p[1] - TIE).count();
        return new Finding(
                question,
                String.format(
                        Locale.ROOT,
                        "%s: mean AUC-ROC %.1f against %.1f over %d cases (data set, backbone, shift); better in %d, worse in %d,"
                                + " within %.1f points in %d.",
                        relative > plain + TIE ? "Yes" : "No",
                        relative,
                        plain,
                        pairs.size(),
                        better,
                        worse,
                        TIE,
                        pairs.size() - better - worse));
    }

    /** The joint density less the best single layer, in points. */
    private record Gain(String data, Shift shift, double points) {

        boolean isTieOrBetter() {
            return points >= -TIE;
        }
    }

    /** All layers together against the best single one; the paper's statement is about classes left out of heterophilic graphs. */
    private Finding layers() {
        String question = "Is the joint density at least as good as the best single layer?";
        List<Gain> gains = results.data().stream()
                .flatMap(data -> SHIFTS.stream().map(shift -> new Gain(data, shift, gain(data, shift))))
                .filter(gain -> Double.isFinite(gain.points))
                .toList();
        if (gains.isEmpty()) {
            return new Finding(question, "Not known yet: no single layers have been run.");
        }
        Gain worst =
                gains.stream().min(Comparator.comparingDouble(Gain::points)).orElseThrow();
        return new Finding(
                question,
                onHeterophilic(gains)
                        + onHomophilic(gains)
                        + String.format(
                                Locale.ROOT,
                                " Over all graphs and shifts it is within %.1f points of the best single layer or above it in"
                                        + " %d of %d cases, by %+.1f points on average and by %+.1f at worst (%s, %s); which layer"
                                        + " is best differs from case to case and is not known beforehand.",
                                TIE,
                                gains.stream().filter(Gain::isTieOrBetter).count(),
                                gains.size(),
                                gains.stream()
                                        .mapToDouble(Gain::points)
                                        .average()
                                        .orElseThrow(),
                                worst.points,
                                results.title(worst.data),
                                PaperNames.shift(worst.shift)));
    }

    private String onHeterophilic(List<Gain> gains) {
        List<Gain> stated = gains.stream()
                .filter(gain -> gain.shift == Shifts.LEAVE_OUT && isHeterophilic(gain.data))
                .toList();
        if (stated.isEmpty()) {
            return "Not known yet on heterophilic graphs.";
        }
        long won = stated.stream().filter(Gain::isTieOrBetter).count();
        return (won == stated.size() ? "Yes" : won == 0 ? "No" : "Partly")
                + ": with classes left out of heterophilic graphs, Res-GCN, joint less best single layer in points: "
                + stated.stream()
                        .map(gain -> results.title(gain.data) + number(" %+.1f", gain.points))
                        .collect(Collectors.joining(", "))
                + ".";
    }

    private String onHomophilic(List<Gain> gains) {
        String differences = gains.stream()
                .filter(gain -> gain.shift == Shifts.LEAVE_OUT && !isHeterophilic(gain.data))
                .map(gain -> results.title(gain.data)
                        + number(" %+.1f", 100 * (leftOut(gain.data, "jlde") - leftOut(gain.data, "jlde:states=-1"))))
                .collect(Collectors.joining(", "));
        return differences.isEmpty()
                ? ""
                : " On homophilic graphs, where the paper finds no difference, joint less last layer: " + differences
                        + ".";
    }

    /** The joint density less the best single layer, in points; NaN where they have not been run. */
    private double gain(String data, Shift shift) {
        Spread joint = results.get(data, BACKBONE, "jlde", shift, "auc_roc");
        double best = StudyFigures.singleStates(results, BACKBONE).stream()
                .mapToDouble(name ->
                        results.get(data, BACKBONE, name, shift, "auc_roc").mean())
                .filter(Double::isFinite)
                .max()
                .orElse(Double.NaN);
        return 100 * (joint.mean() - best);
    }

    private Finding moons() {
        String question = "Does JLDE hold on the moons as neighbours become unlike, where GEBM does not?";
        int above = (int) results.moons().stream()
                .filter(name -> leftOut(name, "jlde") > leftOut(name, "gebm"))
                .count();
        double[] like = {moons("jlde", h -> h > 0.5), moons("gebm", h -> h > 0.5)};
        double[] unlike = {moons("jlde", h -> h < 0.5), moons("gebm", h -> h < 0.5)};
        int all = results.moons().size();
        if (!Double.isFinite(like[0] + like[1] + unlike[0] + unlike[1])) {
            return new Finding(question, "Not known yet: not all of both estimators have been run.");
        }
        boolean holds = above == all && like[0] - unlike[0] < like[1] - unlike[1];
        return new Finding(
                question,
                String.format(
                        Locale.ROOT,
                        "%s: JLDE is above GEBM at %d of %d homophilies; from homophilies over 0.5 to those below, mean AUC-ROC"
                                + " goes from %.2f to %.2f with JLDE and from %.2f to %.2f with GEBM.",
                        holds ? "Yes" : above == all ? "Partly" : "No",
                        above,
                        all,
                        like[0],
                        unlike[0],
                        like[1],
                        unlike[1]));
    }

    private double leftOut(String name, String estimator) {
        return results.get(name, BACKBONE, estimator, Shifts.LEAVE_OUT, "auc_roc")
                .mean();
    }

    private double moons(String estimator, DoublePredicate homophily) {
        return results.moons().stream()
                .filter(name -> homophily.test(StudyFigures.homophily(name)))
                .mapToDouble(name -> leftOut(name, estimator))
                .average()
                .orElse(Double.NaN);
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
