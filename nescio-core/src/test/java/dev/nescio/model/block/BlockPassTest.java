// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.graph.BlockGraph;
import dev.nescio.graph.Graph;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.model.Architecture;
import dev.nescio.model.Forward;
import dev.nescio.model.Model;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.network.Architectures;
import dev.nescio.model.training.Trainer;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.progress.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BlockPassTest {

    private static final long PLENTY = 1L << 30;
    private static final Graph GRAPH = BuiltinGraphs.make("blocks?nodes=150&features=6");

    @TempDir
    Path folder;

    static Stream<String> architectures() {
        return Architectures.all().stream().map(Architecture::name);
    }

    private static Model trained(String name, Graph graph) {
        return new Trainer(
                        Architectures.named(name),
                        ModelOptions.of(8, 2, 0.2, 1)
                                .in(Architectures.named(name).options()),
                        TrainingOptions.of(0.01, 0, 2, 2, 1))
                .train(graph, graph.split("0"), TrainingListener.NONE)
                .model();
    }

    @ParameterizedTest
    @MethodSource("architectures")
    void everyModelEqualsItsWholePass(String name) throws IOException {
        Model model = trained(name, GRAPH);
        for (int size : new int[] {1, 7, 1000}) {
            for (long memory : new long[] {PLENTY, 1}) {
                assertSame(model, GRAPH, new BlockPass.Options(folder, memory, size));
            }
        }
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void sparseFeaturesIsolatedNodesAndBlocksByMemory() {
        Graph sparse = GRAPH.with()
                .features(((DenseMatrix) GRAPH.features()).toSparse())
                .build();
        assertSame(trained("res-gcn", sparse), sparse, new BlockPass.Options(folder, 100_000, 0));
        assertSame(trained("res-gate", GRAPH), GRAPH.withoutEdges(), new BlockPass.Options(folder, 20_000, 0));
    }

    private static void assertSame(Model model, Graph graph, BlockPass.Options options) {
        Forward whole = model.forward(graph);
        int[] next = {0};
        BlockPass.run(
                model,
                BlockGraph.of(graph),
                UnaryOperator.identity(),
                options,
                (from, forward) -> {
                    assertThat(from).isEqualTo(next[0]);
                    next[0] += forward.nodes();
                    assertClose(forward.logits(), whole.logits(), from);
                    assertThat(forward.states().stream().map(Forward.State::name))
                            .containsExactlyElementsOf(whole.states().stream()
                                    .map(Forward.State::name)
                                    .toList());
                    for (int s = 0; s < whole.states().size(); s++) {
                        assertClose(forward.matrices().get(s), whole.matrices().get(s), from);
                    }
                },
                Progress.NONE);
        assertThat(next[0]).isEqualTo(graph.nodes());
    }

    private static void assertClose(DenseMatrix block, DenseMatrix whole, int from) {
        for (int row = 0; row < block.rows(); row++) {
            for (int c = 0; c < block.columns(); c++) {
                double expected = whole.get(from + row, c);
                assertThat((double) block.get(row, c)).isCloseTo(expected, within(1e-5 * (1 + Math.abs(expected))));
            }
        }
    }

    @Test
    void aFailureLeavesNoFiles() throws IOException {
        Model model = trained("res-gcn", GRAPH);
        assertThatThrownBy(() -> BlockPass.run(
                        model,
                        BlockGraph.of(GRAPH),
                        UnaryOperator.identity(),
                        new BlockPass.Options(folder, PLENTY, 10),
                        (from, forward) -> {
                            throw new IllegalStateException("stop");
                        },
                        Progress.NONE))
                .hasMessage("stop");
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }
}
