// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.DriftReport;
import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.graph.split.SharesSplit;
import dev.nescio.io.data.DataFolder;
import dev.nescio.io.data.DataSet;
import dev.nescio.io.data.DataSets;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.matrix.SparseMatrix;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import dev.nescio.tensor.Parallel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * How often {@code watch} raises an alarm: about ordinary test nodes, which must be rare, and about nodes that differ in a known
 * way. The last class is left out of training and of all batches but those that hold some of it. Prints a Markdown table of the
 * share of batches with an alarm, and what spoke.
 */
@CommandLine.Command(name = "drift", mixinStandardHelpOptions = true)
final class DriftAlarms implements Callable<Integer> {

    @Parameters(paramLabel = "GRAPHS", arity = "1..*", description = "Data sets, or builtin:NAME.")
    List<String> graphs;

    @Option(names = "--data", paramLabel = "DIR", description = "Folder of the data sets.")
    Path folder = Path.of(".");

    @Option(names = "--detectors", defaultValue = "10", description = "Trained on as many splits.")
    int detectors;

    @Option(names = "--batches", defaultValue = "50", description = "Per detector and kind.")
    int batches;

    @Option(names = "--nodes", defaultValue = "100", description = "Nodes of a batch.")
    int nodes;

    @Option(names = "--level", defaultValue = "0.05", description = "Of false alarms.")
    double level;

    /** How often something happened. */
    private static final class Tally {
        int batches;
        int alarms;
        int unfounded;
        final Map<String, Integer> causes = new LinkedHashMap<>();

        synchronized void add(DriftReport report, double level) {
            batches++;
            alarms += report.isDrift(level) ? 1 : 0;
            unfounded += report.moved().isEmpty() ? 0 : 1;
            report.causes(level).forEach(cause -> causes.merge(cause, 1, Integer::sum));
        }
    }

    @Override
    public Integer call() {
        System.out.println(
                "| graph | batches | of them with an alarm | what spoke, in percent of the batches | some feature named |");
        System.out.println("|---|---|---|---|---|");
        for (String name : graphs) {
            Map<String, Tally> tallies = new ConcurrentHashMap<>();
            Parallel.sideBySide(detectors, i -> run(name, i, tallies));
            for (String kind : kinds()) {
                Tally tally = Objects.requireNonNull(tallies.get(kind));
                System.out.printf(
                        Locale.ROOT,
                        "| %s | %s | %.1f %% of %d | %s | %.1f %% |%n",
                        name,
                        kind,
                        100.0 * tally.alarms / tally.batches,
                        tally.batches,
                        causes(tally),
                        100.0 * tally.unfounded / tally.batches);
            }
        }
        return 0;
    }

    private static String causes(Tally tally) {
        return String.join(
                ", ",
                tally.causes.entrySet().stream()
                        .map(e ->
                                String.format(Locale.ROOT, "%s %.0f", e.getKey(), 100.0 * e.getValue() / tally.batches))
                        .sorted()
                        .toList());
    }

    private static List<String> kinds() {
        return List.of(
                "ordinary",
                "a tenth of an unknown class",
                "half of an unknown class",
                "features of other nodes",
                "one feature larger by a deviation",
                "half of the edges gone",
                "one class alone");
    }

    private void run(String name, int number, Map<String, Tally> tallies) {
        DetectorOptions options = DetectorOptions.defaults().withSeed(number);
        Graph raw;
        if (name.startsWith("builtin:")) {
            raw = BuiltinGraphs.make(name.substring("builtin:".length()));
        } else {
            DataSet set = DataSets.named(name);
            raw = new DataFolder(folder).read(set);
            options = options.withPreprocessing(set.preprocessing());
        }
        int unknown = raw.classes().size() - 1;
        Split split = SharesSplit.MOST.draw(raw, number);
        Detector detector = Detector.train(raw, split, options.withLeftOut(Set.of(unknown)), TrainingListener.NONE);
        Rng rng = new Seed(number).split("batches").rng();
        int[] known = split.test()
                .filter(v -> raw.label(v) >= 0 && raw.label(v) != unknown)
                .toArray();
        int[] strange = split.test().filter(v -> raw.label(v) == unknown).toArray();
        for (int b = 0; b < batches; b++) {
            NodeSet batch = drawn(rng, known, nodes);
            add("ordinary", detector, raw, batch, tallies);
            add("a tenth of an unknown class", detector, raw, mixed(rng, known, strange, nodes / 10), tallies);
            add("half of an unknown class", detector, raw, mixed(rng, known, strange, nodes / 2), tallies);
            add("features of other nodes", detector, withFeatures(raw, shuffled(rng, raw, batch)), batch, tallies);
            add(
                    "one feature larger by a deviation",
                    detector,
                    withFeatures(raw, moved(raw, batch, rng)),
                    batch,
                    tallies);
            add("half of the edges gone", detector, withoutHalf(raw, batch, rng), batch, tallies);
            int kept = raw.label(known[rng.nextInt(known.length)]);
            add("one class alone", detector, raw, batch.filter(v -> raw.label(v) == kept), tallies);
        }
        System.err.println(name + " " + number + " done");
    }

    private void add(String kind, Detector detector, Graph graph, NodeSet batch, Map<String, Tally> tallies) {
        tallies.computeIfAbsent(kind, k -> new Tally()).add(DriftReport.of(detector, graph, batch, 0.05, level), level);
    }

    private static NodeSet drawn(Rng rng, int[] from, int count) {
        int[] copy = from.clone();
        rng.shuffle(copy);
        return NodeSet.of(Arrays.copyOf(copy, Math.min(count, copy.length)));
    }

    private NodeSet mixed(Rng rng, int[] known, int[] strange, int unknown) {
        List<Integer> all = new ArrayList<>();
        drawn(rng, known, nodes - unknown).stream().forEach(all::add);
        drawn(rng, strange, unknown).stream().forEach(all::add);
        return NodeSet.of(all.stream().mapToInt(v -> v).toArray());
    }

    private static Graph withFeatures(Graph raw, Matrix features) {
        return raw.with().features(features).build();
    }

    /** The nodes of the batch have the rows of any other nodes. */
    private static Matrix shuffled(Rng rng, Graph raw, NodeSet batch) {
        int[] rows = IntStream.range(0, raw.nodes()).toArray();
        batch.stream().forEach(v -> rows[v] = rng.nextInt(raw.nodes()));
        return raw.features().select(rows);
    }

    private static Matrix moved(Graph raw, NodeSet batch, Rng rng) {
        DenseMatrix dense =
                raw.features() instanceof SparseMatrix sparse ? sparse.toDense() : (DenseMatrix) raw.features();
        float[] values = dense.values().clone();
        int columns = dense.columns();
        int feature = rng.nextInt(columns);
        double[] column = IntStream.range(0, dense.rows())
                .mapToDouble(v -> values[v * columns + feature])
                .toArray();
        double mean = Arrays.stream(column).average().orElse(0);
        double deviation = Math.sqrt(Arrays.stream(column)
                .map(x -> (x - mean) * (x - mean))
                .average()
                .orElse(0));
        batch.stream().forEach(v -> values[v * columns + feature] += (float) deviation);
        return DenseMatrix.of(dense.rows(), columns, values);
    }

    private static Graph withoutHalf(Graph raw, NodeSet batch, Rng rng) {
        Adjacency adjacency = raw.adjacency();
        for (int v : batch.toArray()) {
            int begin = raw.adjacency().pointers()[v];
            int end = raw.adjacency().pointers()[v + 1];
            for (int e = begin; e < end; e++) {
                if (rng.nextDouble() < 0.5) {
                    adjacency = adjacency.without(v, raw.adjacency().neighbours()[e]);
                }
            }
        }
        return raw.with().adjacency(adjacency).build();
    }
}
