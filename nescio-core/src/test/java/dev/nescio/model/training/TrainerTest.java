// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.jna.Function;
import com.sun.jna.Structure;
import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.model.Model;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.network.ResGcn;
import dev.nescio.problem.BadInput;
import dev.nescio.problem.Diverged;
import dev.nescio.problem.EngineFailure;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

public class TrainerTest {

    private final Graph graph = BuiltinGraphs.make("blocks?nodes=300");
    private final Split split = graph.split("0");

    private static Trainer trainer(int epochs, int patience, double rate) {
        return new Trainer(
                new ResGcn(), ModelOptions.of(16, 2, 0.2, 1), TrainingOptions.of(rate, 1e-4, epochs, patience, 3));
    }

    @Test
    void learnsToClassify() {
        Trainer.Result result = trainer(200, 50, 0.01).train(graph, split, TrainingListener.NONE);

        assertThat(result.validationAccuracy()).isGreaterThan(0.9);
        assertThat(result.bestEpoch()).isLessThanOrEqualTo(result.epochs());
    }

    @Test
    void sameSeedGivesTheSameBytes() {
        float[] first = logits(trainer(20, 20, 0.01));
        float[] second = logits(trainer(20, 20, 0.01));

        assertThat(second).containsExactly(first);
    }

    private float[] logits(Trainer trainer) {
        return trainer.train(graph, split, TrainingListener.NONE)
                .model()
                .forward(graph)
                .logits()
                .values();
    }

    /** A learning rate of nearly nothing: every epoch is as good as the first. */
    @Test
    void ofEqualEpochsTheFirstIsKept() {
        Trainer.Result result = trainer(1000, 5, 1e-12).train(graph, split, TrainingListener.NONE);

        assertThat(result.bestEpoch()).isEqualTo(1);
        assertThat(result.epochs()).isEqualTo(6);
        assertThat(result.validationLoss()).isBetween(1.0, 3.0);
    }

    @Test
    void anotherSeedGivesAnotherModel() {
        Trainer other =
                new Trainer(new ResGcn(), ModelOptions.of(16, 2, 0.2, 1), TrainingOptions.of(0.01, 1e-4, 20, 20, 4));

        assertThat(logits(other)).isNotEqualTo(logits(trainer(20, 20, 0.01)));
    }

    @Test
    void stopsWhenPatienceIsOverAndReturnsTheBestEpoch() {
        List<TrainingListener.Epoch> epochs = new ArrayList<>();
        Trainer.Result result = trainer(1000, 7, 0.01).train(graph, split, epochs::add);

        assertThat(result.epochs()).isEqualTo(epochs.size()).isEqualTo(result.bestEpoch() + 7);
        double best = epochs.stream()
                .mapToDouble(TrainingListener.Epoch::accuracy)
                .max()
                .orElseThrow();
        assertThat(result.validationAccuracy()).isEqualTo(best);
        assertThat(epochs.get(result.bestEpoch() - 1).accuracy()).isEqualTo(best);
        // Of equally good epochs the first one is kept.
        assertThat(epochs.stream()
                        .filter(e -> e.accuracy() == best)
                        .findFirst()
                        .orElseThrow()
                        .number())
                .isEqualTo(result.bestEpoch());
        assertThat(accuracy(result.model())).isEqualTo(best);
    }

    private double accuracy(Model model) {
        DenseMatrix logits = model.forward(graph).logits();
        long right = split.validation().stream()
                .filter(v -> {
                    int predicted = 0;
                    for (int c = 1; c < logits.columns(); c++) {
                        predicted = logits.get(v, c) > logits.get(v, predicted) ? c : predicted;
                    }
                    return predicted == graph.label(v);
                })
                .count();
        return (double) right / split.validation().size();
    }

    @Test
    void divergenceIsReportedWithEpochAndRate() {
        assertThatThrownBy(() -> trainer(50, 50, 1e30).train(graph, split, TrainingListener.NONE))
                .isInstanceOf(EngineFailure.class)
                .hasMessageMatching(
                        "training diverged: the loss is (NaN|Infinity) in epoch \\d+ at learning rate 1.0E30; a smaller one may help");
    }

    /** Validation nodes that overflow alone, so that the loss of training stays a number. */
    @Test
    void aValidationLossThatIsNeverANumberIsReported() {
        float[] features = {1, 2, 2, 1, 3e38f, 3e38f, -3e38f, 3e38f};
        Graph overflowing = Graph.builder(
                        "overflowing",
                        Adjacency.undirected(4, new int[] {0, 2}, new int[] {1, 3})
                                .adjacency())
                .features(DenseMatrix.of(4, 2, features))
                .labels(new int[] {0, 1, 0, 1}, 2)
                .build();
        Split apart = new Split("apart", NodeSet.of(0, 1), NodeSet.of(2, 3), NodeSet.of());
        TrainingOptions byLoss =
                TrainingOptions.of(0.01, 0, 5, 5, 0).with(TrainingOptions.STOPPING, TrainingOptions.Stopping.LOSS);
        assertThatThrownBy(() -> new Trainer(new ResGcn(), ModelOptions.of(4, 1, 0, 1), byLoss)
                        .train(overflowing, apart, TrainingListener.NONE))
                .isInstanceOf(Diverged.class)
                .hasMessageContaining("the validation loss is not a number in any of 5 epochs");
    }

    @Test
    void refusesWhatCannotBeLearned() {
        Split empty = new Split("e", NodeSet.of(), NodeSet.of(1), NodeSet.of(2));
        assertThatThrownBy(() -> trainer(1, 1, 0.1).train(graph, empty, TrainingListener.NONE))
                .isInstanceOf(BadInput.class)
                .hasMessage("blocks: split 'e' has no training nodes");

        Graph oneClass = graph.with().labels(new int[300], 1).build();
        assertThatThrownBy(() -> trainer(1, 1, 0.1).train(oneClass, split, TrainingListener.NONE))
                .hasMessage("blocks has 1 class, but a classifier needs at least 2");

        assertThatThrownBy(() -> trainer(1, 1, 0.1).train(graph.withoutEdges(), split, TrainingListener.NONE))
                .hasMessage("blocks has no edges, but message passing needs at least one");

        int[] labels = graph.labels();
        labels[split.train().toArray()[0]] = Graph.UNLABELLED;
        Graph unlabelled = graph.with().labels(labels, graph.classes()).build();
        assertThatThrownBy(() -> trainer(1, 1, 0.1).train(unlabelled, split, TrainingListener.NONE))
                .hasMessageContaining("is a training node of split '0' but has no label");
    }

    @Test
    void aSingleNodePerSetIsFineAndSoIsAnEdgelessGraphLater() {
        Split tiny = new Split("t", NodeSet.of(0), NodeSet.of(299), NodeSet.of(150));
        Model model =
                trainer(3, 3, 0.01).train(graph, tiny, TrainingListener.NONE).model();

        assertThat(model.forward(graph.withoutEdges()).logits().firstNotFinite())
                .isNull();
    }

    /** Native memory is freed every epoch: what the C library has handed out does not grow. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void manyEpochsLeaveMemoryWhereItWas() {
        int epochs = Integer.getInteger("nescio.epochs", 500);
        Graph larger = BuiltinGraphs.make("blocks?nodes=3000");
        long[] allocated = new long[epochs + 1];
        trainer(epochs, epochs, 0.01).train(larger, larger.split("0"), epoch -> {
            if (epoch.number() == 20 || epoch.number() == epochs) {
                allocated[epoch.number()] = allocatedBytes();
            }
        });
        // One hidden state of 3,000 x 16 floats lost per epoch would be 90 MiB. Java's compiler takes some 20.
        assertThat(allocated[20]).isPositive();
        assertThat(allocated[epochs] - allocated[20]).isLessThan(64 << 20);
    }

    /** What the C library has handed out and not got back, in blocks and in mappings of their own. */
    private static long allocatedBytes() {
        MallInfo info = (MallInfo) Function.getFunction("c", "mallinfo2").invoke(MallInfo.class, new Object[0]);
        return info.numbers[4] + info.numbers[7];
    }

    /** The ten numbers of {@code struct mallinfo2}: 4 is hblkhd, 7 is uordblks. */
    @Structure.FieldOrder("numbers")
    public static final class MallInfo extends Structure implements Structure.ByValue {
        public long[] numbers = new long[10];
    }
}
