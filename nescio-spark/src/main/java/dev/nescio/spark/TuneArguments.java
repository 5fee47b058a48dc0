// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark;

import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Preprocessing;
import dev.nescio.graph.Split;
import dev.nescio.graph.split.SplitRule;
import dev.nescio.graph.split.SplitRules;
import dev.nescio.graph.split.StratifiedSplit;
import dev.nescio.io.data.DataSets;
import dev.nescio.io.graph.GraphLocation;
import dev.nescio.io.graph.TableGraph;
import dev.nescio.io.location.GraphLocations;
import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.network.Architectures;
import dev.nescio.option.Option;
import dev.nescio.option.OptionGroup;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.spark.study.SparkTuning;
import dev.nescio.study.Tuning;
import dev.nescio.uncertainty.estimator.Estimators;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What stands behind {@code tune}; the flags are those of {@code nescio tune}. Every machine reads them, and the graph, by itself.
 *
 * @param given behind the name of the command
 * @param folder that the driver was started in: files lie at the same place on every machine
 */
record TuneArguments(ArrayList<String> given, String folder) implements SparkTuning.Recipe {

    private static final List<OptionGroup> GROUPS =
            List.of(ModelOptions.COMMON, TrainingOptions.GROUP, Preprocessing.GROUP, DetectorOptions.GROUP);
    private static final List<String> PAIRS = List.of("--try", "--choose");

    TuneArguments(List<String> given) {
        this(new ArrayList<>(given), Path.of("").toAbsolutePath().toString());
    }

    Arguments arguments() {
        List<String> withValue = new ArrayList<>(List.of(
                "--out",
                "--edges",
                "--splits",
                "--widths",
                "--dropouts",
                "--learning-rates",
                "--weight-decays",
                "--model",
                "--leave-out"));
        withValue.addAll(PAIRS);
        withValue.addAll(LayoutFlags.WITH_VALUE);
        List<String> without = new ArrayList<>(LayoutFlags.WITHOUT_VALUE);
        without.add("--dry-run");
        for (OptionGroup group : GROUPS) {
            group.options().forEach(option -> (option.isFlag() ? without : withValue).add("--" + option.name()));
        }
        return new Arguments(given, withValue, without, PAIRS);
    }

    String place() {
        return arguments().places("GRAPH").get(0);
    }

    @Override
    public Tuning tuning(Path journal) {
        Arguments arguments = arguments();
        Graph graph = graph(arguments);
        List<Split> splits = SplitRules.names(values(arguments.text("--splits", "0-2"))).stream()
                .map(name -> split(graph, name))
                .toList();
        DetectorOptions base = options(arguments, graph);
        return new Tuning(graph, splits, base, grid(arguments, base), journal);
    }

    private Graph graph(Arguments arguments) {
        String edges = arguments.text("--edges");
        @Nullable Path links = edges == null ? null : Path.of(folder).resolve(edges);
        Path file = Path.of(folder).resolve(place());
        String graphPlace = Files.exists(file) ? file.toString() : place();
        Graph graph = GraphLocations.read(new GraphLocation.Request(
                graphPlace, links, LayoutFlags.of(arguments), null, TableGraph.Listener.NONE));
        if (graph.classes().isEmpty()) {
            throw new BadInput(place() + " has no labels, and there is nothing to learn without");
        }
        return graph;
    }

    /** The graphs of the paper are split as the paper does. */
    private static Split split(Graph graph, String name) {
        boolean isOfThePaper = DataSets.all().stream()
                .filter(set -> !set.storedSplits())
                .flatMap(set -> set.files().stream())
                .anyMatch(version -> version.file().equals(graph.name() + ".npz"));
        SplitRule standard = isOfThePaper ? StratifiedSplit.CITATION : SplitRules.standard();
        return SplitRules.choose(graph, name, standard);
    }

    /** All validation nodes choose the best epoch, unless somebody says otherwise. */
    private static DetectorOptions options(Arguments arguments, Graph graph) {
        Architecture architecture = Architectures.named(arguments.text("--model", "res-gcn"));
        Map<String, String> detector = arguments.among(DetectorOptions.GROUP);
        detector.putIfAbsent(DetectorOptions.HELD_OUT.name(), "0");
        return new DetectorOptions(
                architecture,
                new ModelOptions(ModelOptions.COMMON.parse(arguments.among(ModelOptions.COMMON)))
                        .in(architecture.options(), arguments.pairs("--choose")),
                new TrainingOptions(TrainingOptions.GROUP.parse(arguments.among(TrainingOptions.GROUP))),
                new Preprocessing(Preprocessing.GROUP.parse(arguments.among(Preprocessing.GROUP))),
                Estimators.parseAll(DetectorOptions.STANDARD_ESTIMATOR),
                DetectorOptions.GROUP.parse(detector),
                leftOut(arguments.text("--leave-out"), graph));
    }

    private static Set<Integer> leftOut(@Nullable String text, Graph graph) {
        Set<Integer> classes = new TreeSet<>();
        int count = graph.classes().size();
        for (String part : text == null ? List.<String>of() : values(text)) {
            if (part.matches("(first|last):\\d{1,9}")) {
                int size = Math.min(count, Integer.parseInt(part.substring(part.indexOf(':') + 1)));
                int begin = part.startsWith("first") ? 0 : count - size;
                for (int c = begin; c < begin + size; c++) {
                    classes.add(c);
                }
            } else {
                classes.add(classNumber(graph, part));
            }
        }
        return classes;
    }

    private static int classNumber(Graph graph, String name) {
        int byName = graph.classes().indexOf(name);
        int number = byName < 0 && name.matches("\\d{1,9}") ? Integer.parseInt(name) : byName;
        if (number < 0 || number >= graph.classes().size()) {
            throw new BadConfiguration(
                    graph.name() + " has no class '" + name + "'; it has " + String.join(", ", graph.classes()));
        }
        return number;
    }

    /** Widths change slowest: cheap settings come first. */
    private static Map<Option<?>, List<String>> grid(Arguments arguments, DetectorOptions base) {
        Map<Option<?>, List<String>> grid = new LinkedHashMap<>();
        grid.put(
                ModelOptions.HIDDEN,
                values(arguments.text("--widths", "64,512")).stream()
                        .map(ModelOptions.HIDDEN::parse)
                        .sorted()
                        .map(String::valueOf)
                        .toList());
        grid.put(TrainingOptions.LEARNING_RATE, values(arguments.text("--learning-rates", "0.01,0.001")));
        grid.put(ModelOptions.DROPOUT, values(arguments.text("--dropouts", "0.2,0.5")));
        grid.put(TrainingOptions.WEIGHT_DECAY, values(arguments.text("--weight-decays", "0,1e-4")));
        OptionGroup known = OptionGroup.union(
                base.architecture().name(), List.of(base.architecture().options(), TrainingOptions.GROUP));
        arguments.pairs("--try").forEach((name, texts) -> grid.put(known.named(name), values(texts)));
        grid.forEach((option, values) -> requireOnce(arguments, option, values));
        return grid;
    }

    /** A value that is given by itself would be overruled. */
    private static void requireOnce(Arguments arguments, Option<?> option, List<String> values) {
        values.forEach(option::parse);
        if (arguments.has("--" + option.name()) || arguments.pairs("--choose").containsKey(option.name())) {
            throw new BadConfiguration("tune tries several values of " + option + " (" + String.join(", ", values)
                    + "): list your values there instead of giving --" + option);
        }
    }

    private static List<String> values(String texts) {
        return Arrays.stream(texts.split(",")).map(String::strip).toList();
    }
}
