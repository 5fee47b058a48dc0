// SPDX-License-Identifier: Apache-2.0
package dev.nescio.paper;

import dev.nescio.model.Architecture;
import dev.nescio.model.network.Architectures;
import dev.nescio.shift.Shift;
import dev.nescio.shift.Shifts;
import java.util.List;
import java.util.Map;

/** What the paper calls things. */
public final class PaperNames {

    private static final Map<String, String> MODELS = Map.ofEntries(
            Map.entry("res-gcn", "Res-GCN"),
            Map.entry("res-gat-sep", "Res-GAT-Sep"),
            Map.entry("res-gate", "Res-GATE"),
            Map.entry("gcn", "GCN"),
            Map.entry("gatv2", "GATv2"),
            Map.entry("gprgnn", "GPRGNN"),
            Map.entry("fagcn", "FAGCN"),
            Map.entry("fsgnn", "FSGNN"),
            Map.entry("gpn", "GPN"),
            Map.entry("sgcn", "SGCN"),
            Map.entry("bgcn", "BGCN"));
    private static final Map<String, String> ESTIMATORS = Map.of(
            "ensemble", "Ens.",
            "mcd", "MCD",
            "ebm", "EBM",
            "gnnsafe", "Safe",
            "gebm", "GEBM",
            "jlde", "JLDE");
    private static final Map<Shift, String> SHIFTS = Map.of(
            Shifts.CLEAN, "clean",
            Shifts.LEAVE_OUT, "LoC",
            Shifts.NEAR, "Near",
            Shifts.FAR, "Far");
    private static final Map<String, String> DENSITIES = Map.of(
            "jlde", "JLDE-KNN",
            "jlde-kde", "JLDE-KDE",
            "jlde-mixture", "JLDE-MoG");
    private static final Map<String, String> RUNTIMES = Map.of(
            "jlde", "JLDE",
            "jlde:states=-1", "JLDE-1L",
            "gebm", "GEBM",
            "mcd", "MCD",
            "ensemble", "Ensemble",
            "ebm", "Energy");

    private PaperNames() {}

    /** The cut Amazon Ratings is compared with the whole one. */
    static String data(String title) {
        return title.replace(" (cut)", "");
    }

    /** All models of the paper, as Nescio calls them. */
    static List<String> models() {
        return Architectures.all().stream()
                .map(Architecture::name)
                .filter(MODELS::containsKey)
                .toList();
    }

    static String model(String name) {
        return MODELS.getOrDefault(name, name);
    }

    static String estimator(String model, String name) {
        return model.equals("bgcn") && name.equals("mcd") ? "variance" : ESTIMATORS.getOrDefault(name, name);
    }

    static String shift(Shift shift) {
        return SHIFTS.getOrDefault(shift, shift.name());
    }

    static String density(String estimator) {
        return DENSITIES.getOrDefault(estimator, estimator);
    }

    /** Models that bring their own uncertainty go by their own name. */
    static String runtime(String model, String estimator) {
        return model.equals("res-gcn") ? RUNTIMES.getOrDefault(estimator, estimator) : model(model);
    }
}
