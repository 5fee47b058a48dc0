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
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.SparseMatrix;
import dev.nescio.metric.Spread;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.progress.Progress;
import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import dev.nescio.shift.FeatureNoise;
import dev.nescio.study.Settings;
import dev.nescio.tensor.Parallel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * What near noise depends on: the same trained networks look at the noise of the studies and at other readings of what the paper
 * says about it. Prints a Markdown table of AUC-ROC.
 */
@CommandLine.Command(name = "near", mixinStandardHelpOptions = true)
final class NearNoise implements Callable<Integer> {

    private static final double SHARE = 0.1;

    @Parameters(paramLabel = "DATA", description = "A data set with 0/1 features.")
    String name;

    @Option(names = "--data", paramLabel = "DIR", required = true, description = "Folder of the data sets.")
    Path folder;

    @Option(names = "--model", defaultValue = "res-gcn")
    String model;

    @Option(names = "--estimators", defaultValue = "jlde,ebm,gnnsafe,gebm,jlde-mixture,jlde-relative")
    String estimators;

    @Option(names = "--splits", defaultValue = "5")
    int splits;

    @Option(names = "--split", description = "How splits are drawn, such as stratified (default: as in the studies).")
    String rule;

    /** A graph with noise, and the test nodes to tell apart. */
    private record Case(Graph prepared, NodeSet ordinary, NodeSet strange) {}

    @Override
    public Integer call() {
        DataSet set = DataSets.named(name);
        Graph raw = new DataFolder(folder).read(set);
        Map<Integer, Map<String, double[]>> bySplit = new ConcurrentSkipListMap<>();
        Parallel.sideBySide(splits, i -> bySplit.put(i, run(set, raw, i)));
        List<Map<String, double[]>> runs = List.copyOf(bySplit.values());
        List<String> columns = new ArrayList<>(List.of("alea."));
        columns.addAll(List.of(estimators.split(",")));
        System.out.println("| noise | " + String.join(" | ", columns) + " |");
        System.out.println("|---|" + "---|".repeat(columns.size()));
        for (String variant : runs.get(0).keySet()) {
            System.out.println("| " + variant + " | "
                    + IntStream.range(0, columns.size())
                            .mapToObj(c -> Spread.of(
                                    runs.stream().mapToDouble(run -> Objects.requireNonNull(run.get(variant))[c])))
                            .map(s -> String.format(Locale.ROOT, "%.1f ± %.1f", 100 * s.mean(), 100 * s.std()))
                            .collect(Collectors.joining(" | "))
                    + " |");
        }
        return 0;
    }

    private Map<String, double[]> run(DataSet set, Graph raw, int number) {
        Split split = rule != null
                ? SplitRules.choose(raw, rule + ":" + number)
                : set.storedSplits() ? SplitRules.choose(raw, "" + number) : StratifiedSplit.CITATION.draw(raw, number);
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
                        .withEstimators(estimators.split(",")),
                TrainingListener.NONE);
        Map<String, double[]> found = new LinkedHashMap<>();
        cases(set.preprocessing(), raw, split, number).forEach((variant, one) -> {
            List<Double> values = new ArrayList<>();
            detector.scorePrepared(one.prepared, Progress.NONE).byEstimator().forEach((estimator, opinion) -> {
                if (values.isEmpty()) {
                    values.add(auc(opinion.requirePrediction().aleatoric(), one));
                }
                values.add(auc(opinion.epistemic(), one));
            });
            found.put(variant, values.stream().mapToDouble(v -> v).toArray());
        });
        System.err.println("split " + split.name() + " done");
        return found;
    }

    private static double auc(double[] scores, Case one) {
        return Evaluation.roc(scores, one.ordinary, one.strange).auc();
    }

    private static Map<String, Case> cases(Preprocessing preprocessing, Graph raw, Split split, long seed) {
        Map<String, Case> cases = new LinkedHashMap<>();
        FeatureNoise.Noisy standard =
                new FeatureNoise(FeatureNoise.Kind.NEAR, SHARE, seed).apply(raw, preprocessing, split);
        NodeSet noisy = standard.nodes();
        Case asInStudies =
                new Case(standard.prepared(), others(split, noisy), split.test().filter(noisy::contains));
        cases.put("as in the studies", asInStudies);
        FeatureNoise.Noisy again =
                new FeatureNoise(FeatureNoise.Kind.NEAR, SHARE, seed + 1000).apply(raw, preprocessing, split);
        cases.put(
                "another seed of the noise",
                new Case(
                        again.prepared(),
                        others(split, again.nodes()),
                        split.test().filter(again.nodes()::contains)));
        cases.put(
                "only test nodes whose neighbours are clean",
                new Case(
                        asInStudies.prepared,
                        asInStudies.ordinary.filter(v -> isAmongClean(raw, noisy, v)),
                        asInStudies.strange.filter(v -> isAmongClean(raw, noisy, v))));
        Preprocessing values = Preprocessing.of(true, Preprocessing.RowNorm.NONE);
        Graph zeroOne = values.apply(raw);
        Graph clean = preprocessing.apply(raw);
        double[] all = means(zeroOne, NodeSet.where(raw.nodes(), v -> true));
        double[] train = means(zeroOne, split.train());
        Rng rng = new Seed(seed).split("other near noise").rng();
        cases.put(
                "column means of the training nodes",
                replaced(
                        asInStudies, clean, noisy, scaled(rows(noisy, j -> rng.nextDouble() < train[j] ? 1 : 0, all))));
        cases.put(
                "noise that is not scaled to sum to 1",
                replaced(asInStudies, clean, noisy, rows(noisy, j -> rng.nextDouble() < all[j] ? 1 : 0, all)));
        double[] mean = means(raw, NodeSet.where(raw.nodes(), v -> true));
        double[] deviation = deviations(raw, mean);
        cases.put(
                "normal noise on the raw values, made 0/1 afterwards",
                replaced(
                        asInStudies,
                        clean,
                        noisy,
                        scaled(rows(noisy, j -> mean[j] + deviation[j] * rng.nextGaussian() > 0 ? 1 : 0, all))));
        cases.put(
                "each node with the row of another node",
                replaced(asInStudies, clean, noisy, shuffled(clean, noisy, rng)));
        for (double share : new double[] {0.02, 0.05, 0.1, 0.5}) {
            cases.put(
                    "every word with probability " + share,
                    replaced(
                            asInStudies,
                            clean,
                            noisy,
                            scaled(rows(noisy, j -> rng.nextDouble() < share ? 1 : 0, all))));
        }
        NodeSet testOnly = asInStudies.strange;
        DenseMatrix dense = dense(asInStudies.prepared);
        cases.put("noise on test nodes alone", replaced(asInStudies, clean, testOnly, picked(dense, testOnly)));
        return cases;
    }

    private static NodeSet others(Split split, NodeSet noisy) {
        return split.test().filter(v -> !noisy.contains(v));
    }

    private static boolean isAmongClean(Graph graph, NodeSet noisy, int node) {
        int[] pointers = graph.adjacency().pointers();
        for (int e = pointers[node]; e < pointers[node + 1]; e++) {
            if (noisy.contains(graph.adjacency().neighbours()[e])) {
                return false;
            }
        }
        return true;
    }

    private interface Entry {
        double draw(int column);
    }

    private static float[][] rows(NodeSet nodes, Entry entry, double[] columns) {
        float[][] rows = new float[nodes.size()][columns.length];
        for (float[] row : rows) {
            for (int j = 0; j < row.length; j++) {
                row[j] = (float) entry.draw(j);
            }
        }
        return rows;
    }

    private static float[][] scaled(float[][] rows) {
        for (float[] row : rows) {
            double sum = 0;
            for (float value : row) {
                sum += Math.abs(value);
            }
            for (int j = 0; j < row.length && sum > 0; j++) {
                row[j] /= (float) sum;
            }
        }
        return rows;
    }

    private static DenseMatrix dense(Graph graph) {
        return graph.features() instanceof SparseMatrix sparse ? sparse.toDense() : (DenseMatrix) graph.features();
    }

    private static float[][] picked(DenseMatrix from, NodeSet nodes) {
        int columns = from.columns();
        return nodes.stream()
                .mapToObj(v -> Arrays.copyOfRange(from.values(), v * columns, (v + 1) * columns))
                .toArray(float[][]::new);
    }

    private static float[][] shuffled(Graph clean, NodeSet nodes, Rng rng) {
        DenseMatrix all = dense(clean);
        int[] from = IntStream.range(0, nodes.size())
                .map(i -> rng.nextInt(clean.nodes()))
                .toArray();
        float[][] rows = new float[from.length][];
        for (int i = 0; i < from.length; i++) {
            rows[i] = Arrays.copyOfRange(all.values(), from[i] * all.columns(), (from[i] + 1) * all.columns());
        }
        return rows;
    }

    private static Case replaced(Case like, Graph clean, NodeSet nodes, float[][] rows) {
        DenseMatrix all = dense(clean);
        float[] values = all.values().clone();
        int next = 0;
        for (int v : nodes.toArray()) {
            System.arraycopy(rows[next++], 0, values, v * all.columns(), all.columns());
        }
        Graph graph = clean.with()
                .features(DenseMatrix.of(all.rows(), all.columns(), values))
                .build();
        return new Case(graph, like.ordinary, like.strange);
    }

    private static double[] means(Graph graph, NodeSet nodes) {
        DenseMatrix all = dense(graph);
        double[] means = new double[all.columns()];
        for (int v : nodes.toArray()) {
            for (int j = 0; j < means.length; j++) {
                means[j] += all.values()[v * means.length + j] / nodes.size();
            }
        }
        return means;
    }

    private static double[] deviations(Graph graph, double[] mean) {
        DenseMatrix all = dense(graph);
        double[] squares = new double[mean.length];
        for (int i = 0; i < all.values().length; i++) {
            double d = all.values()[i] - mean[i % mean.length];
            squares[i % mean.length] += d * d / all.rows();
        }
        return Arrays.stream(squares).map(Math::sqrt).toArray();
    }
}
