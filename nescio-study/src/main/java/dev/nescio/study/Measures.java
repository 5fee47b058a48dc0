// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The registry of measures. */
public final class Measures {

    private static final List<Measure> ALL = List.of(
            new Measure("accuracy", "accuracy on ordinary test nodes", Judged::accuracy),
            new Measure("accuracy_all", "accuracy on all test nodes whose class was learned", Judged::accuracyOfAll),
            new Measure("auc_roc", "AUC-ROC of epistemic uncertainty for strange nodes", j -> j.strangeByEpistemic()
                    .auc()),
            new Measure(
                    "auc_pr",
                    "AUC-PR of epistemic uncertainty for strange nodes, by trapezoids",
                    j -> j.strangeByEpistemic().aucPr()),
            new Measure(
                    "average_precision",
                    "average precision of epistemic uncertainty for strange nodes",
                    j -> j.strangeByEpistemic().averagePrecision()),
            new Measure(
                    "false_alarms",
                    "share of ordinary nodes above the threshold that finds 95 % of the strange ones",
                    j -> j.strangeByEpistemic().falseAlarms()),
            new Measure(
                    "aleatoric_auc_roc",
                    "AUC-ROC of aleatoric uncertainty for strange nodes",
                    j -> j.strangeByAleatoric().auc()),
            new Measure(
                    "aleatoric_auc_pr",
                    "AUC-PR of aleatoric uncertainty for strange nodes, by trapezoids",
                    j -> j.strangeByAleatoric().aucPr()),
            new Measure(
                    "errors_auc_roc",
                    "AUC-ROC of epistemic uncertainty for wrong predictions",
                    j -> j.wrongByEpistemic().auc()),
            new Measure(
                    "errors_auc_pr",
                    "AUC-PR of epistemic uncertainty for wrong predictions, by trapezoids",
                    j -> j.wrongByEpistemic().aucPr()),
            new Measure(
                    "errors_aleatoric_auc_roc",
                    "AUC-ROC of aleatoric uncertainty for wrong predictions",
                    j -> j.wrongByAleatoric().auc()),
            new Measure(
                    "errors_aleatoric_auc_pr",
                    "AUC-PR of aleatoric uncertainty for wrong predictions, by trapezoids",
                    j -> j.wrongByAleatoric().aucPr()),
            new Measure(
                    "calibration_error",
                    "expected calibration error in equal bins of confidence",
                    Judged::calibrationError),
            new Measure("brier", "mean distance between predicted probabilities and truth", j -> j.brier()
                    .distance()),
            new Measure(
                    "brier_squared", "mean squared distance between predicted probabilities and truth", j -> j.brier()
                            .squared()));

    private Measures() {}

    /** All measures, in the order of the columns of a store. */
    public static List<Measure> all() {
        return ALL;
    }

    /** Names of all measures, as columns of a table. */
    public static List<String> names() {
        return ALL.stream().map(Measure::name).toList();
    }

    /** All measures by their names. */
    static Map<String, Double> of(Judged judged) {
        Map<String, Double> values = new LinkedHashMap<>();
        ALL.forEach(measure -> values.put(measure.name(), measure.function().applyAsDouble(judged)));
        return values;
    }
}
