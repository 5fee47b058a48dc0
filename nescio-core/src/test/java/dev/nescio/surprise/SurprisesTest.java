// SPDX-License-Identifier: Apache-2.0
package dev.nescio.surprise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Growth;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.metric.Roc;
import dev.nescio.problem.BadInput;
import dev.nescio.problem.BadModelFile;
import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import dev.nescio.tensor.Engine;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.Explainable;
import dev.nescio.uncertainty.FittedEstimator;
import dev.nescio.uncertainty.estimator.Estimators;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SurprisesTest {

    private static final int OUTLIERS = 30;

    private static final Graph GRAPH = BuiltinGraphs.make("blocks?nodes=1000");
    private static final Surprises SURPRISES = Surprises.fit(GRAPH, 0);

    /** Two cliques of 15 nodes that have nothing to do with each other. */
    private Graph withCliques() {
        int[] from = new int[OUTLIERS / 15 * 105];
        int[] to = new int[from.length];
        int next = 0;
        for (int i = 0; i < OUTLIERS; i++) {
            for (int j = i + 1; j < (i / 15 + 1) * 15; j++) {
                from[next] = 31 * i;
                to[next++] = 31 * j;
            }
        }
        return GRAPH.with()
                .adjacency(GRAPH.adjacency().grown(0, from, to, false))
                .build();
    }

    /** The features of some nodes are those of nodes of other classes. */
    private Graph withForeignFeatures() {
        DenseMatrix features = (DenseMatrix) GRAPH.features();
        int width = features.columns();
        float[] values = features.values().clone();
        for (int i = 0; i < OUTLIERS; i++) {
            int v = 31 * i;
            int u = IntStream.range(0, GRAPH.nodes())
                    .map(k -> (v + 517 + k) % GRAPH.nodes())
                    .filter(k -> GRAPH.label(k) == (GRAPH.label(v) + 1) % 5)
                    .findFirst()
                    .orElseThrow();
            System.arraycopy(features.values(), u * width, values, v * width, width);
        }
        return GRAPH.with()
                .features(DenseMatrix.of(GRAPH.nodes(), width, values))
                .build();
    }

    private static double auc(Graph graph) {
        double[] scores = scores(Surprises.fit(graph, 0), graph);
        boolean[] isOutlier = new boolean[graph.nodes()];
        for (int i = 0; i < OUTLIERS; i++) {
            isOutlier[31 * i] = true;
        }
        return Roc.of(scores, isOutlier).auc();
    }

    private static double[] scores(Surprises surprises, Graph graph) {
        Evidence evidence = surprises.of(graph);
        return Estimators.surprise().fit(evidence).score(evidence);
    }

    @Test
    void findsCliquesAndForeignFeaturesUnderHeterophily() {
        assertThat(auc(withCliques())).isGreaterThan(0.85);
        assertThat(auc(withForeignFeatures())).isGreaterThan(0.7);
    }

    @Test
    void sameSeedSameBytesWithAnyThreads() {
        int before = Engine.threads();
        try {
            Engine.useThreads(1);
            double[] one = scores(Surprises.fit(GRAPH, 3), GRAPH);
            Engine.useThreads(3);
            assertThat(scores(Surprises.fit(GRAPH, 3), GRAPH)).isEqualTo(one);
            assertThat(scores(Surprises.fit(GRAPH, 4), GRAPH)).isNotEqualTo(one);
        } finally {
            Engine.useThreads(before);
        }
    }

    @Test
    void comesBackFromItsState() {
        Surprises same = Surprises.load(SURPRISES.state(), SURPRISES.referenceIds());
        assertThat(scores(same, GRAPH)).isEqualTo(scores(SURPRISES, GRAPH));
    }

    @Test
    void refusesADamagedState() {
        for (String name : SURPRISES.state().keySet()) {
            Map<String, NdArray> without = new LinkedHashMap<>(SURPRISES.state());
            without.remove(name);
            assertThatThrownBy(() -> Surprises.load(without, SURPRISES.referenceIds()))
                    .as(name)
                    .isInstanceOf(BadModelFile.class);
        }
        assertThatThrownBy(() -> Surprises.load(
                        SURPRISES.state(), SURPRISES.referenceIds().subList(1, 256)))
                .isInstanceOf(BadModelFile.class);
    }

    @Test
    void aNewNodeIsJudgedWithoutFittingAgain() {
        float[] huge = new float[GRAPH.features().columns()];
        Arrays.fill(huge, 40);
        float[] usual = ((DenseMatrix) GRAPH.features()).select(new int[] {5}).values();
        Graph grown = new Growth(GRAPH)
                .node("odd", huge)
                .edge("odd", "3")
                .node("usual", usual)
                .edge(
                        "usual",
                        GRAPH.ids()
                                .name(GRAPH.adjacency()
                                        .neighbours()[GRAPH.adjacency().pointers()[5]]))
                .build();
        Evidence old = SURPRISES.of(GRAPH);
        double[] scores = Estimators.surprise().fit(old).score(SURPRISES.of(grown));
        assertThat(scores[1000]).isGreaterThan(scores[1001]);
    }

    @Test
    void aGraphWithoutEdgesIsJudgedByItsFeaturesAlone() {
        Graph lonely = GRAPH.withoutEdges();
        Evidence evidence = Surprises.fit(lonely, 0).of(lonely);
        Explainable fitted = (Explainable) Estimators.surprise().fit(evidence);
        fitted.explain(evidence, 7).contributions().stream()
                .filter(part -> part.state() > 0)
                .forEach(part -> assertThat(part.amount()).isZero());
    }

    @Test
    void refusesWhatCannotTeach() {
        Graph tiny = Graph.builder("tiny", Adjacency.empty(29))
                .features(DenseMatrix.of(29, 1, new float[29]))
                .build();
        assertThatThrownBy(() -> Surprises.fit(tiny, 0))
                .isInstanceOf(BadInput.class)
                .hasMessage("tiny has 29 nodes; at least 30 are needed to tell what is usual");
        Graph narrow =
                GRAPH.with().features(DenseMatrix.of(1000, 1, new float[1000])).build();
        assertThatThrownBy(() -> SURPRISES.of(narrow))
                .hasMessage("blocks has 1 features per node, but 32 were learned from");
    }

    @Test
    void constantFeaturesAndOneHubAreFine() {
        int[] to = IntStream.range(1, 40).toArray();
        Graph star = Graph.builder(
                        "star", Adjacency.undirected(40, new int[39], to).adjacency())
                .features(DenseMatrix.of(40, 2, new float[80]))
                .build();
        assertThat(scores(Surprises.fit(star, 0), star)).doesNotContain(Double.NaN);
    }

    @Test
    void scoreIsTheSumOfRarities() {
        Rng rng = new Seed(1).rng();
        float[] values = new float[50];
        for (int i = 0; i < 50; i++) {
            values[i] = rng.nextInt(20);
        }
        Evidence evidence =
                Evidence.of(List.of(DenseMatrix.of(50, 1, values), DenseMatrix.of(50, 1, new float[50])), NodeSet.of());
        FittedEstimator fitted = Estimators.surprise().fit(evidence);
        double[] scores = fitted.score(evidence);
        for (int v = 0; v < 50; v++) {
            int node = v;
            long atLeast = IntStream.range(0, 50)
                    .filter(u -> values[u] >= values[node])
                    .count();
            assertThat(scores[v]).isCloseTo(-Math.log((atLeast + 1) / 51.0), within(1e-12));
            assertThat(((Explainable) fitted).explain(evidence, v).score()).isEqualTo(scores[v]);
        }
    }

    /** By ranks alone, the largest of 300 numbers had 5.7 however large it was, and nobody flagged it. */
    @Test
    void whatLiesFarBeyondTheOthersIsRarerThanTheLargestOfThem() {
        Rng rng = new Seed(4).rng();
        float[] values = new float[300];
        for (int i = 0; i < 300; i++) {
            values[i] = (float) -Math.log(rng.nextDouble());
        }
        Evidence evidence = Evidence.of(List.of(DenseMatrix.of(300, 1, values)), NodeSet.of());
        FittedEstimator fitted = Estimators.surprise().fit(evidence);
        float[] asked = {1, 3, 5, 20};
        double[] scores = fitted.score(Evidence.of(List.of(DenseMatrix.of(4, 1, asked)), NodeSet.of()));
        // Of exponential numbers, -log p is the number itself.
        assertThat(scores[0]).isCloseTo(1, within(0.2));
        assertThat(scores[1]).isCloseTo(3, within(0.6));
        assertThat(scores[2]).isCloseTo(5, within(2.0));
        assertThat(scores[3]).isGreaterThan(scores[2] + 4);
    }

    @Test
    void trianglesAreCountedAsByHand() {
        Graph dense = BuiltinGraphs.make("blocks?nodes=60&degree=12");
        Adjacency a = dense.adjacency();
        boolean[][] joined = new boolean[60][60];
        for (int v = 0; v < 60; v++) {
            for (int e = a.pointers()[v]; e < a.pointers()[v + 1]; e++) {
                joined[v][a.neighbours()[e]] = true;
            }
        }
        long[] expected = new long[60];
        for (int u = 0; u < 60; u++) {
            for (int v = u + 1; v < 60; v++) {
                for (int w = v + 1; w < 60; w++) {
                    if (joined[u][v] && joined[v][w] && joined[u][w]) {
                        expected[u]++;
                        expected[v]++;
                        expected[w]++;
                    }
                }
            }
        }
        assertThat(Triangles.of(a)).containsExactly(expected);
    }
}
