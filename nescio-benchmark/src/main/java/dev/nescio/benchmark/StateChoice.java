// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.Evaluation;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Preprocessing;
import dev.nescio.graph.Split;
import dev.nescio.graph.split.SplitRules;
import dev.nescio.graph.split.StratifiedSplit;
import dev.nescio.io.data.DataFolder;
import dev.nescio.io.data.DataSet;
import dev.nescio.io.data.DataSets;
import dev.nescio.metric.Spread;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.study.Settings;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.estimator.Estimators;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Whether training classes tell which hidden states to compare. Every training class is hidden in turn, and a choice of states is as
 * good as it tells validation nodes of the hidden class from the others. Prints that beside the truth: how well the same choice finds
 * the classes that were left out, AUC-ROC in percent.
 */
@CommandLine.Command(name = "states", mixinStandardHelpOptions = true)
final class StateChoice implements Callable<Integer> {

    @Parameters(paramLabel = "DATA", description = "Data sets.")
    List<String> names;

    @Option(names = "--data", paramLabel = "DIR", required = true, description = "Folder of the data sets.")
    Path folder;

    @Option(names = "--model", defaultValue = "res-gcn")
    String model;

    @Option(names = "--estimators", split = ",", defaultValue = "jlde,jlde-relative")
    List<String> estimators;

    @Option(names = "--splits", defaultValue = "5")
    int splits;

    @Option(names = "--retrain", description = "Hide a class from the network, too; otherwise only from the density.")
    boolean isRetrained;

    /** AUC-ROC of a hidden training class, on average over classes, and of the classes that were left out. */
    private record Found(double hidden, double leftOut) {}

    @Override
    public Integer call() {
        System.out.println("| graph | states | hidden training class | classes left out |");
        System.out.println("|---|---|---|---|");
        for (String name : names) {
            DataSet set = DataSets.named(name);
            Graph raw = new DataFolder(folder).read(set);
            List<Map<String, Found>> runs = new ArrayList<>();
            for (int i = 0; i < splits; i++) {
                runs.add(run(set, raw, i));
            }
            for (String states : runs.get(0).keySet()) {
                List<Found> found = runs.stream()
                        .map(run -> Objects.requireNonNull(run.get(states)))
                        .toList();
                print(
                        set.title(),
                        states,
                        Spread.of(found.stream().mapToDouble(Found::hidden)),
                        Spread.of(found.stream().mapToDouble(Found::leftOut)));
            }
            for (String estimator : estimators) {
                print(set.title(), "the best by hidden classes of " + estimator, null, chosen(runs, estimator));
            }
        }
        return 0;
    }

    /** What is found where every split takes the states that tell hidden classes best. */
    private static Spread chosen(List<Map<String, Found>> runs, String estimator) {
        return Spread.of(runs.stream().mapToDouble(run -> run.entrySet().stream()
                .filter(e -> e.getKey().equals(estimator) || e.getKey().startsWith(estimator + ":"))
                .max(Map.Entry.comparingByValue((a, b) -> Double.compare(a.hidden, b.hidden)))
                .orElseThrow()
                .getValue()
                .leftOut));
    }

    private static void print(String graph, String states, @Nullable Spread hidden, Spread leftOut) {
        System.out.printf(
                Locale.ROOT,
                "| %s | %s | %s | %.1f ± %.1f |%n",
                graph,
                states,
                hidden == null
                        ? ""
                        : String.format(Locale.ROOT, "%.1f ± %.1f", 100 * hidden.mean(), 100 * hidden.std()),
                100 * leftOut.mean(),
                100 * leftOut.std());
    }

    private Map<String, Found> run(DataSet set, Graph raw, int number) {
        Split split =
                set.storedSplits() ? SplitRules.choose(raw, "" + number) : StratifiedSplit.CITATION.draw(raw, number);
        Set<Integer> leftOut =
                Objects.requireNonNull(set.leaveOut(), set.name()).of(raw);
        Preprocessing preprocessing = set.preprocessing();
        Graph graph = preprocessing.apply(raw);
        NodeSet ordinary = split.test().filter(v -> !leftOut.contains(raw.label(v)));
        NodeSet strange = split.test().filter(v -> leftOut.contains(raw.label(v)));
        Evidence evidence = evidence(set, raw, graph, split, number, leftOut);
        List<Integer> classes = IntStream.range(0, raw.classes().size())
                .filter(c -> !leftOut.contains(c))
                .boxed()
                .toList();
        List<Evidence> withoutClass = new ArrayList<>();
        for (int c : classes) {
            Set<Integer> both = new HashSet<>(leftOut);
            both.add(c);
            Evidence seen = isRetrained ? evidence(set, raw, graph, split, number, both) : evidence;
            withoutClass.add(Evidence.of(seen.states(), seen.training().filter(v -> raw.label(v) != c)));
        }
        Map<String, Found> found = new LinkedHashMap<>();
        for (String estimator : estimators) {
            for (String states : choices(estimator, evidence.states().size())) {
                double hidden = IntStream.range(0, classes.size())
                        .mapToDouble(i -> auc(
                                states,
                                withoutClass.get(i),
                                split.validation()
                                        .filter(v -> raw.label(v) != classes.get(i) && !leftOut.contains(raw.label(v))),
                                split.validation().filter(v -> raw.label(v) == classes.get(i))))
                        .average()
                        .orElseThrow();
                found.put(states, new Found(hidden, auc(states, evidence, ordinary, strange)));
            }
        }
        System.err.println(set.name() + ", split " + split.name() + " done");
        return found;
    }

    /** All states together, and each by itself. */
    private static List<String> choices(String estimator, int states) {
        List<String> choices = new ArrayList<>(List.of(estimator));
        IntStream.range(0, states).mapToObj(i -> estimator + ":states=" + i).forEach(choices::add);
        return choices;
    }

    private static double auc(String estimator, Evidence evidence, NodeSet ordinary, NodeSet strange) {
        double[] scores = Estimators.parse(estimator).fit(evidence).score(evidence);
        return Evaluation.roc(scores, ordinary, strange).auc();
    }

    private Evidence evidence(DataSet set, Graph raw, Graph graph, Split split, int number, Set<Integer> leftOut) {
        Settings settings = Settings.tuned(set.name(), model);
        Detector detector = Detector.train(
                raw,
                split,
                DetectorOptions.defaults()
                        .with(DetectorOptions.HELD_OUT, 0.0)
                        .withArchitecture(model)
                        .withModel(settings.model())
                        .withTraining(settings.training().withSeed(number))
                        .withPreprocessing(set.preprocessing())
                        .withEstimators("ebm")
                        .withLeftOut(leftOut),
                TrainingListener.NONE);
        return Evidence.of(
                detector.model().forward(graph).matrices(), split.train().filter(v -> !leftOut.contains(raw.label(v))));
    }
}
