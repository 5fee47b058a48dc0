// SPDX-License-Identifier: Apache-2.0
package dev.nescio.shift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.nescio.graph.Graph;
import dev.nescio.graph.Preprocessing;
import dev.nescio.graph.Split;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.SparseMatrix;
import dev.nescio.metric.Spread;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.random.Rng;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FeatureNoiseTest {

    private final Graph graph = BuiltinGraphs.make("blocks?nodes=2000&features=4");
    private final Split split = graph.split("0");

    private static FeatureNoise noise(FeatureNoise.Kind kind) {
        return new FeatureNoise(kind, 0.1, 3);
    }

    @Test
    void touchesTheShareOfEachSetAndNothingElse() {
        FeatureNoise.Noisy noisy = noise(FeatureNoise.Kind.FAR).apply(graph, Preprocessing.NONE, split);

        assertThat(noisy.nodes().filter(split.train()::contains).size()).isEqualTo(100);
        assertThat(noisy.nodes().filter(split.validation()::contains).size()).isEqualTo(50);
        assertThat(noisy.nodes().filter(split.test()::contains).size()).isEqualTo(50);
        for (int v = 0; v < 2000; v++) {
            boolean same =
                    noisy.prepared().features().get(v, 0) == graph.features().get(v, 0);
            assertThat(same).isEqualTo(!noisy.nodes().contains(v));
        }
        assertThat(noisy.prepared().adjacency()).isSameAs(graph.adjacency());
    }

    @Test
    void isDeterminedByItsSeed() {
        DenseMatrix first = (DenseMatrix) noise(FeatureNoise.Kind.NEAR)
                .apply(graph, Preprocessing.NONE, split)
                .prepared()
                .features();
        DenseMatrix second = (DenseMatrix) noise(FeatureNoise.Kind.NEAR)
                .apply(graph, Preprocessing.NONE, split)
                .prepared()
                .features();

        assertThat(second.values()).containsExactly(first.values());
    }

    @Test
    void nearNoiseHasTheMeanAndSpreadOfTheData() {
        Graph shifted = graph.with()
                .features(graph.features().mapRows((values, from, to) -> {
                    for (int i = from; i < to; i++) {
                        values[i] = 10 + 3 * values[i];
                    }
                }))
                .build();
        FeatureNoise.Noisy noisy = noise(FeatureNoise.Kind.NEAR).apply(shifted, Preprocessing.NONE, split);
        Spread drawn = Spread.of(noisy.nodes().stream()
                .mapToDouble(v -> noisy.prepared().features().get(v, 2)));
        Spread all = Spread.of(
                IntStream.range(0, 2000).mapToDouble(v -> shifted.features().get(v, 2)));

        assertThat(drawn.mean()).isCloseTo(all.mean(), within(4 * all.std() / Math.sqrt(drawn.runs())));
        assertThat(drawn.std()).isCloseTo(all.std(), withinPercentage(20));
    }

    /** 0/1 rows stay sparse, keep the frequencies of their columns, and are scaled like the others. */
    @Test
    void nearNoiseOnBagsOfWordsIsABagOfWords() {
        Rng rng = new Rng(1);
        float[] words = new float[2000 * 50];
        for (int i = 0; i < words.length; i++) {
            words[i] = rng.nextDouble() < (i % 50 == 0 ? 0.5 : 0.05) ? 0.7f : 0;
        }
        Graph bags = graph.with()
                .features(DenseMatrix.of(2000, 50, words).toSparse())
                .build();
        FeatureNoise.Noisy noisy =
                noise(FeatureNoise.Kind.NEAR).apply(bags, Preprocessing.of(true, Preprocessing.RowNorm.L1), split);

        assertThat(noisy.prepared().features()).isInstanceOf(SparseMatrix.class);
        int frequent = 0;
        for (int v : noisy.nodes().toArray()) {
            double total = 0;
            for (int j = 0; j < 50; j++) {
                total += noisy.prepared().features().get(v, j);
            }
            assertThat(total == 0 || Math.abs(total - 1) < 1e-5).isTrue();
            frequent += noisy.prepared().features().get(v, 0) > 0 ? 1 : 0;
        }
        assertThat((double) frequent / noisy.nodes().size()).isCloseTo(0.5, within(0.15));
    }

    @Test
    void farNoiseIsStandardNormalAndNotScaled() {
        FeatureNoise.Noisy noisy =
                noise(FeatureNoise.Kind.FAR).apply(graph, Preprocessing.of(false, Preprocessing.RowNorm.L2), split);
        double squares = 0;
        for (int v : noisy.nodes().toArray()) {
            for (int j = 0; j < 4; j++) {
                squares += Math.pow(noisy.prepared().features().get(v, j), 2);
            }
        }
        assertThat(squares / (4 * noisy.nodes().size())).isCloseTo(1, within(0.2));
    }

    @Test
    void rejectsSharesThatAreNone() {
        assertThatThrownBy(() -> new FeatureNoise(FeatureNoise.Kind.FAR, 1, 0))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage("the share of nodes with noise must lie between 0 and 1, got 1.0");
    }
}
