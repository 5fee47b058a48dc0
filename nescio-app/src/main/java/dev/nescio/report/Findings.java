package dev.nescio.report;

import dev.nescio.metric.Spread;
import dev.nescio.study.Shift;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.DoublePredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The paper's three statements, held against what was found: in words, with their numbers. */
final class Findings {

    private static final List<Shift> SHIFTS = List.of(Shift.LEAVE_OUT, Shift.NEAR, Shift.FAR);
    private static final double HOMOPHILIC = 0.5;
    /** Points of AUC-ROC that count as a tie. */
    private static final double TIE = 0.5;

    private final Results results;
    private final StudyTables tables;

    /**
     * @param question that the paper answers with yes
     * @param answer yes, no, or what is missing, with the numbers
     */
    record Finding(String question, String answer) {}

    Findings(Results results, StudyTables tables) {
        this.results = results;
        this.tables = tables;
    }

    List<Finding> all() {
        return List.of(
                ranking("Does JLDE lead on heterophilic graphs?", edge -> edge < HOMOPHILIC),
                layers(),
                ranking("Does it keep up on homophilic graphs?", edge -> edge >= HOMOPHILIC));
    }

    /** Mean rank of the six estimators on Res-GCN over the data sets of a kind. */
    private Finding ranking(String question, DoublePredicate kind) {
        List<String> data = results.data().stream()
                .filter(d -> kind.test(results.statistic(d, "edge_homophily")))
                .filter(d -> IntStream.range(0, StudyTables.SIX.size())
                        .allMatch(e -> Double.isFinite(tables.ranks(d, "res-gcn", "auc_roc")[e])))
                .toList();
        if (data.isEmpty()) {
            return new Finding(question, "Not known yet: no such data set has all six estimators and three shifts.");
        }
        double[] mean = new double[StudyTables.SIX.size()];
        for (String set : data) {
            double[] ranks = tables.ranks(set, "res-gcn", "auc_roc");
            for (int e = 0; e < mean.length; e++) {
                mean[e] += ranks[e] / data.size();
            }
        }
        List<Integer> order = IntStream.range(0, mean.length)
                .boxed()
                .sorted(Comparator.comparingDouble(e -> mean[e]))
                .toList();
        int jlde = StudyTables.SIX.indexOf("jlde");
        String list = order.stream()
                .map(e ->
                        PaperNames.estimator("", StudyTables.SIX.get(e)) + String.format(Locale.ROOT, " %.2f", mean[e]))
                .collect(Collectors.joining(", "));
        int place = order.indexOf(jlde) + 1;
        return new Finding(
                question,
                (place == 1 ? "Yes: it is first" : "It is in place " + place)
                        + " of six by average rank on Res-GCN over "
                        + data.stream().map(results::title).collect(Collectors.joining(", ")) + " (" + list + ").");
    }

    /** How often all layers together do at least as well as the best single one. */
    private Finding layers() {
        String question = "Does the joint density beat single layers?";
        int cases = 0;
        int atLeast = 0;
        double gain = 0;
        List<String> losses = new ArrayList<>();
        for (String data : results.data()) {
            for (Shift shift : SHIFTS) {
                Spread joint = results.get(data, "res-gcn", "jlde", shift, "auc_roc");
                double best = StudyFigures.LAYERS.stream()
                        .filter(name -> name.matches("jlde@-?\\d+"))
                        .mapToDouble(name -> results.get(data, "res-gcn", name, shift, "auc_roc")
                                .mean())
                        .filter(Double::isFinite)
                        .max()
                        .orElse(Double.NaN);
                double difference = 100 * (joint.mean() - best);
                if (Double.isFinite(difference)) {
                    cases++;
                    gain += difference;
                    if (difference >= -TIE) {
                        atLeast++;
                    } else {
                        losses.add(String.format(
                                Locale.ROOT, "%s %s %.1f", results.title(data), PaperNames.shift(shift), difference));
                    }
                }
            }
        }
        if (cases == 0) {
            return new Finding(question, "Not known yet: no single layers have been run.");
        }
        return new Finding(
                question,
                String.format(
                        Locale.ROOT,
                        "On Res-GCN it is within %.1f points of the best single layer or above it in %d of %d cases, by %+.1f"
                                + " points on average%s. Which single layer is best differs from case to case and is not"
                                + " known beforehand.",
                        TIE,
                        atLeast,
                        cases,
                        gain / cases,
                        losses.isEmpty() ? "" : "; below it in " + String.join(", ", losses)));
    }
}
