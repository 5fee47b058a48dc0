// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.graph.Surroundings;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.graph.split.SplitRules;
import dev.nescio.matrix.NdArray;
import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.layer.MessageFlow;
import dev.nescio.model.layer.NeighbourSampler;
import dev.nescio.model.layer.Neighbourhood.Loops;
import dev.nescio.model.network.Architectures;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BatchTrainingTest {

    private static final Graph GRAPH = BuiltinGraphs.make("blocks?nodes=400&features=8");
    private static final Split SPLIT = SplitRules.choose(GRAPH, "60/20/20:1");

    static Stream<String> inBatches() {
        return Architectures.all().stream()
                .filter(architecture -> !architecture.learnsFromAllNodes())
                .map(Architecture::name);
    }

    private static Trainer.Result trained(String name, TrainingOptions training) {
        Architecture architecture = Architectures.named(name);
        return new Trainer(architecture, ModelOptions.of(8, 2, 0.3, 1).in(architecture.options()), training)
                .train(GRAPH, SPLIT, TrainingListener.NONE);
    }

    private static void assertSame(Trainer.Result one, Trainer.Result other) {
        one.model().parameters().forEach((name, values) -> assertThat(
                        ((NdArray.Floats) other.model().parameters().get(name)).values())
                .as(name)
                .isEqualTo(((NdArray.Floats) values).values()));
    }

    @ParameterizedTest
    @MethodSource("inBatches")
    void oneBatchOfEverythingIsTheExactTraining(String name) {
        TrainingOptions exact = TrainingOptions.of(0.01, 1e-4, 3, 3, 5);
        assertSame(trained(name, exact), trained(name, exact.with(TrainingOptions.BATCH_NODES, 1000)));
    }

    @Test
    void someNeighboursAreEnoughToLearn() {
        TrainingOptions exact = TrainingOptions.of(0.01, 0, 60, 60, 1);
        TrainingOptions batches = exact.with(TrainingOptions.BATCH_NODES, 64)
                .with(TrainingOptions.NEIGHBOURS, List.of(5, 3))
                .with(TrainingOptions.EPOCHS, 30);
        double whole = trained("res-gcn", exact).validationAccuracy();
        Trainer.Result some = trained("res-gcn", batches);
        assertThat(some.validationAccuracy()).isGreaterThan(whole - 0.05);
        assertSame(some, trained("res-gcn", batches));
    }

    @Test
    void drawnSumsAreRightOnAverage() {
        NeighbourSampler sampler = new NeighbourSampler(Surroundings.of(GRAPH), 1, List.of(3));
        NodeSet targets = NodeSet.where(GRAPH.nodes(), v -> v < 20);
        Rng rng = new Seed(1).rng();
        double[] mean = new double[20];
        int draws = 3000;
        for (int i = 0; i < draws; i++) {
            double[] sums = sums(sampler.draw(targets, rng));
            for (int v = 0; v < 20; v++) {
                mean[v] += sums[v] / draws;
            }
        }
        assertThat(mean).containsExactly(sums(MessageFlow.to(targets, GRAPH, 1)), within(0.08));
    }

    /** Of the first feature, over the neighbours. */
    private static double[] sums(MessageFlow drawn) {
        try (MessageFlow flow = drawn) {
            return Scope.run(() -> {
                Tensor x = flow.features().toDense().columns(0, 1);
                return flow.round(1).normalisedSum(Loops.WITHOUT).apply(x).toDoubles();
            });
        }
    }

    @Test
    void refusesWhatCannotBe() {
        TrainingOptions batches = TrainingOptions.defaults().with(TrainingOptions.BATCH_NODES, 10);
        assertThatThrownBy(() -> trained("sgcn", batches))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage("sgcn learns from all nodes at once; it cannot be trained in batches");
        assertThatThrownBy(() -> TrainingOptions.GROUP.parse(Map.of("batch-nodes", "-1")))
                .hasMessageContaining("a whole number of at least 0");
    }
}
