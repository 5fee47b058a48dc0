package dev.nescio.cli;

import dev.nescio.detector.Detector;
import dev.nescio.detector.MemoryEstimate;
import dev.nescio.detector.Scores;
import dev.nescio.graph.Fingerprint;
import dev.nescio.graph.Graph;
import dev.nescio.io.DetectorFile;
import dev.nescio.io.ScoresFile;
import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nescio score}. */
@Command(
        name = "score",
        mixinStandardHelpOptions = true,
        description = "Score every node of a graph: predicted class, probability, aleatoric and epistemic uncertainty.",
        footer = {
            "",
            "Without --out the table goes to stdout. Larger = more uncertain.",
            "",
            "Examples:",
            "  nescio score model builtin:blocks --out scores.csv",
            "  nescio score model builtin:blocks --estimator jlde,ebm,gnnsafe --out scores.csv",
            "  nescio score model.zip cora_ml.npz --json > scores.json"
        })
final class ScoreCommand implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "MODEL", description = "What 'nescio train' has saved.")
    Path model;

    @Parameters(index = "1", paramLabel = "GRAPH", description = "An npz file, builtin:NAME or data:NAME.")
    String source;

    @Option(names = "--out", paramLabel = "FILE", description = "Where to write the table, as CSV.")
    @Nullable
    Path out;

    @Option(
            names = "--estimator",
            paramLabel = "NAMES",
            split = ",",
            description =
                    "Which of the fitted estimators to use, the first one as epistemic uncertainty; ebm, gnnsafe and mcd need no fit"
                            + " (default: all that were fitted).")
    List<String> estimators = List.of();

    @Option(names = "--dry-run", description = "Check model and graph, say what would be done, and stop.")
    boolean dryRun;

    @Mixin
    CommonOptions common;

    @Override
    public Integer call() throws IOException {
        common.begin();
        Detector detector = chosen(DetectorFile.read(model));
        Graph graph = GraphOptions.read(source);
        if (graph.features().columns() != detector.model().shape().features()) {
            throw new BadInput(graph.name() + " has " + graph.features().columns() + " features per node, but " + model
                    + " was trained on " + detector.model().shape().features());
        }
        if (!Fingerprint.of(graph).equals(detector.provenance().fingerprint())) {
            common.note("note: " + graph.name() + " is not the graph that " + model + " was trained on ("
                    + detector.provenance().graph() + ")");
        }
        if (dryRun) {
            plan(detector, graph);
            return Nescio.OK;
        }
        write(score(detector, graph, common));
        return Nescio.OK;
    }

    private Detector chosen(Detector detector) {
        return estimators.isEmpty() ? detector : detector.withEstimators(estimators);
    }

    private void plan(Detector detector, Graph graph) {
        long memory = MemoryEstimate.scoring(graph, detector.options());
        List<String> names = detector.options().estimators();
        common.print(
                Map.of(
                        "model",
                        model.toString(),
                        "nodes",
                        graph.nodes(),
                        "estimators",
                        names,
                        "memoryMebibytes",
                        memory),
                String.format(
                        Locale.ROOT,
                        "would score %,d nodes of %s with %s by %s; memory about %,d MiB",
                        graph.nodes(),
                        graph.name(),
                        model,
                        String.join(", ", names),
                        memory));
    }

    /** Scores with a progress bar. */
    static Scores score(Detector detector, Graph graph, CommonOptions common) {
        try (ProgressBar bar = common.progress("scoring")) {
            return detector.score(graph, (done, total) -> bar.at(done, total, done + " of " + total + " nodes"));
        }
    }

    private void write(Scores scores) throws IOException {
        if (out != null) {
            ScoresFile.write(scores, out);
            common.print(
                    Map.of("scores", out.toString(), "nodes", scores.nodes()),
                    String.format(Locale.ROOT, "%s: %,d nodes", out, scores.nodes()));
        } else if (common.json) {
            common.print(rows(scores), "");
        } else {
            ScoresFile.write(scores, common.out());
        }
    }

    private static List<Map<String, Object>> rows(Scores scores) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (int i = 0; i < scores.nodes(); i++) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("node", scores.ids().name(i));
            row.put("predicted", scores.predicted(i));
            row.put("probability", scores.prediction().probability()[i]);
            row.put("aleatoric", scores.aleatoric(i));
            row.put("epistemic", scores.epistemic()[i]);
            int node = i;
            scores.byEstimator().entrySet().stream()
                    .skip(1)
                    .forEach(
                            e -> row.put("epistemic-" + e.getKey(), e.getValue().epistemic()[node]));
            rows.add(row);
        }
        return rows;
    }
}
