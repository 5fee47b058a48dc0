// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.graph.BlockGraph;
import dev.nescio.graph.Fingerprint;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Preprocessing;
import dev.nescio.graph.Split;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.graph.split.SplitRules;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.block.BlockPass;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.problem.BadConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Training block by block is batch training in memory with the same seed. */
class BlockTrainingTest {

    private static final Graph GRAPH = BuiltinGraphs.make("blocks?nodes=300");
    private static final Split SPLIT = SplitRules.choose(GRAPH, "20/20/60:1");
    private static final long PLENTY = 1L << 30;

    @TempDir
    Path folder;

    private static DetectorOptions options(String... estimators) {
        return DetectorOptions.defaults()
                .withModel(ModelOptions.of(16, 2, 0.2, 1))
                .withEstimators(estimators)
                .withTraining(TrainingOptions.of(0.01, 0, 6, 6, 0))
                .with(TrainingOptions.BATCH_NODES, 16)
                .with(TrainingOptions.NEIGHBOURS, List.of(4, 4));
    }

    private Detector byBlocks(DetectorOptions options, long memory) {
        return BlockTraining.train(
                BlockGraph.of(GRAPH), SPLIT, options, new BlockPass.Options(folder, memory, 0), TrainingListener.NONE);
    }

    private void assertSame(Detector blocks, Detector whole) throws IOException {
        assertThat(blocks.provenance().validationAccuracy())
                .isEqualTo(whole.provenance().validationAccuracy());
        assertThat(blocks.estimators().temperature())
                .isCloseTo(whole.estimators().temperature(), within(1e-4));
        Scores some = blocks.score(GRAPH);
        Scores all = whole.score(GRAPH);
        all.byEstimator().forEach((name, opinion) -> {
            double[] expected = opinion.epistemic();
            double[] found = some.byEstimator().get(name).epistemic();
            for (int v = 0; v < expected.length; v++) {
                assertThat(found[v])
                        .as("%s of node %d", name, v)
                        .isCloseTo(expected[v], within(1e-4 * Math.max(1e-3, Math.abs(expected[v]))));
            }
        });
        assertThat(some.roles()).isEqualTo(all.roles());
        for (int v = 0; v < GRAPH.nodes(); v++) {
            assertThat(some.predicted(v)).isEqualTo(all.predicted(v));
        }
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jlde",
                "jlde:components=4",
                "jlde:scaling=isotropic",
                "jlde:scaling=same_expected_distance,pca=training",
                "jlde-relative",
                "jlde-relative:components=0.9",
                "jlde-kde",
                "jlde-mixture",
                "mahalanobis",
                "ebm"
            })
    void estimatorsAreThoseOfTheWholeGraph(String estimator) throws IOException {
        DetectorOptions options = options(estimator);
        assertSame(byBlocks(options, PLENTY), Detector.train(GRAPH, SPLIT, options, TrainingListener.NONE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"res-gcn", "gatv2", "gprgnn", "fsgnn", "res-gat-sep", "sage"})
    void modelsAreThoseOfTheWholeGraph(String model) throws IOException {
        DetectorOptions options = options("jlde").withArchitecture(model);
        assertSame(byBlocks(options, PLENTY), Detector.train(GRAPH, SPLIT, options, TrainingListener.NONE));
    }

    /** So little that validation nodes and their surroundings are never together in memory. */
    @Test
    void validationIsExactBlockByBlock() throws IOException {
        DetectorOptions options = options("jlde");
        assertSame(byBlocks(options, 36_000), Detector.train(GRAPH, SPLIT, options, TrainingListener.NONE));
    }

    @Test
    void featuresArePreparedAndClassesLeftOut() throws IOException {
        DetectorOptions options = options("jlde")
                .with(Preprocessing.NORMALISE, Preprocessing.RowNorm.L2)
                .withLeftOut(Set.of(1));
        Detector blocks = byBlocks(options, PLENTY);
        assertSame(blocks, Detector.train(GRAPH, SPLIT, options, TrainingListener.NONE));
        assertThat(blocks.provenance().leftOut())
                .containsExactly(GRAPH.classes().get(1));
    }

    @Test
    void theFingerprintIsThatOfTheWholeGraph() {
        assertThat(Fingerprint.of(BlockGraph.of(GRAPH))).isEqualTo(Fingerprint.of(GRAPH));
    }

    @Test
    void refusesWhatNeedsTheWholeGraph() {
        assertThatThrownBy(() -> byBlocks(options("jlde").with(TrainingOptions.BATCH_NODES, 0), PLENTY))
                .isInstanceOf(BadConfiguration.class)
                .hasMessageContaining("--batch-nodes");
        assertThatThrownBy(() -> byBlocks(options("gnnsafe"), PLENTY))
                .isInstanceOf(BadConfiguration.class)
                .hasMessageContaining("gnnsafe");
        assertThatThrownBy(() -> byBlocks(options("ensemble"), PLENTY)).isInstanceOf(BadConfiguration.class);
        assertThatThrownBy(() -> byBlocks(options("jlde:features=true"), PLENTY))
                .isInstanceOf(BadConfiguration.class)
                .hasMessageContaining("features");
        assertThatThrownBy(() -> byBlocks(options("jlde"), 1000))
                .isInstanceOf(BadConfiguration.class)
                .hasMessageContaining("90 training and held-out nodes take 0 MiB");
    }
}
