// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import dev.nescio.detector.EmbeddingDetector;
import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.io.data.DataFolder;
import dev.nescio.io.data.DataSet;
import dev.nescio.io.data.DataSets;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.SparseMatrix;
import dev.nescio.metric.Roc;
import dev.nescio.progress.Progress;
import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import dev.nescio.surprise.Surprises;
import dev.nescio.uncertainty.estimator.Estimators;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * How well {@code fit} without labels finds outliers that were put into a graph, beside an isolation forest and autoencoders on the
 * features: AUC-ROC of outliers against all other nodes, mean over seeds, as a Markdown table.
 */
@CommandLine.Command(name = "outliers", mixinStandardHelpOptions = true)
final class OutliersBenchmark implements Callable<Integer> {

    private static final int CLIQUE = 15;
    private static final int CANDIDATES = 50;

    @Parameters(paramLabel = "GRAPHS", arity = "1..*", description = "Data sets, or builtin:NAME.")
    List<String> graphs;

    @Option(names = "--data", paramLabel = "DIR", description = "Folder of the data sets.")
    Path folder = Path.of(".");

    @Option(names = "--seeds", defaultValue = "3", description = "Of outliers and of everything random.")
    int seeds;

    /** Kinds of outliers. */
    private enum Kind {
        CLIQUES("cliques of strangers"),
        FAR("features of a far node"),
        FAR_SAME_LENGTH("the same, of the same length"),
        SWAPPED("swapped neighbourhoods");

        final String words;

        Kind(String words) {
            this.words = words;
        }
    }

    /** A graph with outliers in it. */
    private record Infected(Graph graph, DenseMatrix features, boolean[] isOutlier) {}

    @Override
    public Integer call() {
        System.out.println(
                "| graph | outliers | `nescio fit` | isolation forest | autoencoder, bottleneck 16 | autoencoder, bottleneck 2 |");
        System.out.println("|---|---|---|---|---|---|");
        Map<String, double[]> means = new LinkedHashMap<>();
        for (String name : graphs) {
            Graph graph = graph(name);
            for (Kind kind : Kind.values()) {
                double[] aucs = new double[4];
                for (int seed = 0; seed < seeds; seed++) {
                    add(aucs, aucs(infect(graph, kind, seed), seed), 1.0 / seeds);
                }
                print(name, kind.words, aucs);
                add(means.computeIfAbsent(kind.words, words -> new double[4]), aucs, 1.0 / graphs.size());
            }
        }
        means.forEach((kind, aucs) -> print("**mean**", kind, aucs));
        return 0;
    }

    private static void print(String graph, String kind, double[] aucs) {
        System.out.printf(
                Locale.ROOT,
                "| %s | %s | %.1f | %.1f | %.1f | %.1f |%n",
                graph,
                kind,
                100 * aucs[0],
                100 * aucs[1],
                100 * aucs[2],
                100 * aucs[3]);
    }

    private static void add(double[] sums, double[] more, double weight) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] += weight * more[i];
        }
    }

    private Graph graph(String name) {
        if (name.startsWith("builtin:")) {
            return BuiltinGraphs.make(name.substring("builtin:".length()));
        }
        DataSet set = DataSets.named(name);
        return set.preprocessing().apply(new DataFolder(folder).read(set));
    }

    private static double[] aucs(Infected infected, int seed) {
        Surprises surprises = Surprises.fit(infected.graph, seed);
        EmbeddingDetector detector = EmbeddingDetector.fit(
                new EmbeddingDetector.Data(
                        surprises.of(infected.graph),
                        NodeSet.of(),
                        infected.graph.labels(),
                        infected.graph.ids(),
                        infected.graph.name()),
                List.of(Estimators.surprise()),
                List.of());
        double[] ours = detector.score(surprises.of(infected.graph), infected.graph.ids(), Progress.NONE)
                .epistemic();
        return new double[] {
            Roc.of(ours, infected.isOutlier).auc(),
            Roc.of(IsolationForest.scores(infected.features, seed), infected.isOutlier)
                    .auc(),
            Roc.of(Autoencoder.scores(infected.features, 16, seed), infected.isOutlier)
                    .auc(),
            Roc.of(Autoencoder.scores(infected.features, 2, seed), infected.isOutlier)
                    .auc()
        };
    }

    private static Infected infect(Graph graph, Kind kind, int seed) {
        Rng rng = new Seed(seed).split(kind.words).rng();
        DenseMatrix features =
                graph.features() instanceof SparseMatrix sparse ? sparse.toDense() : (DenseMatrix) graph.features();
        int[] joined = NodeSet.where(graph.nodes(), v -> graph.adjacency().degree(v) > 0)
                .toArray();
        rng.shuffle(joined);
        int count = Math.min(150, Math.max(CLIQUE, (int) (0.03 * graph.nodes())));
        int[] chosen = IntStream.of(joined).limit(count - count % CLIQUE).toArray();
        boolean[] isOutlier = new boolean[graph.nodes()];
        for (int v : chosen) {
            isOutlier[v] = true;
        }
        return switch (kind) {
            case CLIQUES -> new Infected(with(graph, features, cliques(graph, chosen)), features, isOutlier);
            case FAR, FAR_SAME_LENGTH -> {
                DenseMatrix changed = replaced(features, chosen, kind == Kind.FAR_SAME_LENGTH, rng);
                yield new Infected(with(graph, changed, graph.adjacency()), changed, isOutlier);
            }
            case SWAPPED -> new Infected(with(graph, features, swapped(graph, features, chosen)), features, isOutlier);
        };
    }

    private static Graph with(Graph graph, DenseMatrix features, Adjacency adjacency) {
        return graph.with().adjacency(adjacency).features(features.compact()).build();
    }

    private static Adjacency cliques(Graph graph, int[] chosen) {
        int pairs = chosen.length / CLIQUE * (CLIQUE * (CLIQUE - 1) / 2);
        int[] from = new int[pairs];
        int[] to = new int[pairs];
        int next = 0;
        for (int i = 0; i < chosen.length; i++) {
            for (int j = i + 1; j < (i / CLIQUE + 1) * CLIQUE; j++) {
                from[next] = chosen[i];
                to[next++] = chosen[j];
            }
        }
        return graph.adjacency().grown(0, from, to, false);
    }

    private static DenseMatrix replaced(DenseMatrix features, int[] chosen, boolean keepsLength, Rng rng) {
        float[] values = features.values().clone();
        int width = features.columns();
        for (int v : chosen) {
            int best = v;
            double most = Double.NEGATIVE_INFINITY;
            for (int i = 0; i < CANDIDATES; i++) {
                int u = rng.nextInt(features.rows());
                double away = keepsLength ? -cosine(features, u, v) : distance(features, u, v);
                if (away > most) {
                    most = away;
                    best = u;
                }
            }
            double scale =
                    keepsLength ? Math.sqrt(dot(features, v, v) / Math.max(dot(features, best, best), 1e-12)) : 1;
            for (int c = 0; c < width; c++) {
                values[v * width + c] = (float) (scale * features.get(best, c));
            }
        }
        return DenseMatrix.of(features.rows(), width, values);
    }

    private static double dot(DenseMatrix x, int u, int v) {
        double sum = 0;
        for (int c = 0; c < x.columns(); c++) {
            sum += (double) x.get(u, c) * x.get(v, c);
        }
        return sum;
    }

    private static double distance(DenseMatrix x, int u, int v) {
        return dot(x, u, u) + dot(x, v, v) - 2 * dot(x, u, v);
    }

    private static double cosine(DenseMatrix x, int u, int v) {
        return dot(x, u, v) / Math.sqrt(Math.max(dot(x, u, u) * dot(x, v, v), 1e-24));
    }

    /** Pairs exchange their places in the graph: each with the partner, among those left, whose features are most unlike. */
    private static Adjacency swapped(Graph graph, DenseMatrix features, int[] chosen) {
        int[] place = NodeSet.all(graph.nodes()).toArray();
        boolean[] done = new boolean[chosen.length];
        for (int i = 0; i < chosen.length; i++) {
            int partner = -1;
            for (int j = i + 1; j < chosen.length && !done[i]; j++) {
                boolean isBetter = partner < 0
                        || cosine(features, chosen[i], chosen[j]) < cosine(features, chosen[i], chosen[partner]);
                partner = !done[j] && isBetter ? j : partner;
            }
            if (partner >= 0) {
                done[i] = true;
                done[partner] = true;
                place[chosen[i]] = chosen[partner];
                place[chosen[partner]] = chosen[i];
            }
        }
        int[] to =
                IntStream.of(graph.adjacency().rowOfEntry()).map(v -> place[v]).toArray();
        int[] from =
                IntStream.of(graph.adjacency().neighbours()).map(v -> place[v]).toArray();
        return Adjacency.undirected(graph.nodes(), from, to).adjacency();
    }
}
