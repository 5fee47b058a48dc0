// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import dev.nescio.detector.Detector;
import dev.nescio.model.Forward;
import dev.nescio.model.Model;
import dev.nescio.model.Network;
import dev.nescio.model.Pass;
import dev.nescio.model.layer.FeatureTensor;
import dev.nescio.model.layer.Weights;
import dev.nescio.spark.broadcast.OneCore;
import dev.nescio.spark.broadcast.SharedDetector;
import dev.nescio.tensor.Arena;
import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Gradients;
import dev.nescio.tensor.Scope;
import java.io.Serializable;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;

/**
 * One pass of a detector's network over all blocks. Every round is computed before the next begins; a block that is lost with its machine
 * is computed again, to the same bits.
 */
public final class ModelPass {

    private static final StorageLevel KEPT = StorageLevel.MEMORY_AND_DISK();

    private final JavaRDD<NodeBlock> nodes;
    private final BlockPlans plans;
    private final SharedDetector detector;
    private @Nullable JavaRDD<BlockState> kept;

    /** @param nodes in blocks, which should be kept by the caller, as they are read at the beginning and at the end */
    public ModelPass(JavaRDD<NodeBlock> nodes, BlockPlans plans, SharedDetector detector) {
        this.nodes = nodes;
        this.plans = plans;
        this.detector = detector;
    }

    /** Makes something of what a network says about the nodes of a block. */
    @FunctionalInterface
    public interface Reader<R> extends Serializable {

        /** @param forward of the nodes, in the order of their ids */
        Iterator<R> read(Detector detector, NodeBlock block, Forward forward);
    }

    /** Is told how long every stage has taken. */
    @FunctionalInterface
    public interface Listener {

        /** Listens to nothing. */
        Listener NONE = (round, rounds, seconds) -> {};

        /** @param round 0 for the input, which sends nothing; the last round is computed with what is read from it, later */
        void computed(int round, int rounds, double seconds);
    }

    /**
     * Runs all rounds but the last, which is computed when the result is asked for.
     *
     * @param reader is given every block once, and runs where the block is
     */
    public <R> JavaRDD<R> run(Reader<R> reader, Listener listener) {
        SharedDetector shared = detector;
        return nodes.zipPartitions(
                forwards(listener),
                (block, said) -> said.hasNext()
                        ? readOn(shared.get(), block.next(), said.next().forward(), reader)
                        : Collections.emptyIterator());
    }

    /** What the network says about every block that has nodes; the last round is computed when that is asked for. */
    public JavaRDD<BlockForward> forwards(Listener listener) {
        int rounds = layers(detector.get().model());
        JavaRDD<BlockState> states = kept(input(nodes, detector), 0, rounds, listener);
        for (int round = 1; round < rounds; round++) {
            states = kept(middle(states, round), round, rounds, listener);
        }
        return last(states, rounds);
    }

    /** Lets Spark forget what the last round is computed from, once its result is kept. */
    public void forget() {
        if (kept != null) {
            kept.unpersist(false);
        }
    }

    /** Computes a round and keeps it in place of the one before. A round that fails leaves nothing. */
    private JavaRDD<BlockState> kept(JavaRDD<BlockState> states, int round, int rounds, Listener listener) {
        long begin = System.nanoTime();
        JavaRDD<BlockState> next = states.persist(KEPT);
        boolean isDone = false;
        try {
            next.count();
            listener.computed(round, rounds, (System.nanoTime() - begin) / 1e9);
            isDone = true;
        } finally {
            forget();
            kept = isDone ? next : null;
            if (!isDone) {
                next.unpersist(false);
            }
        }
        return next;
    }

    private static JavaRDD<BlockState> input(JavaRDD<NodeBlock> nodes, SharedDetector shared) {
        return nodes.map(
                block -> block.nodes() == 0 ? BlockState.NOTHING : OneCore.run(() -> input(block, shared.get())));
    }

    private static BlockState input(NodeBlock block, Detector detector) {
        try (Arena arena = new Arena()) {
            FeatureTensor features =
                    FeatureTensor.of(detector.options().preprocessing().apply(block.features()), arena);
            return open(
                    detector.model(),
                    (network, pass) -> Scope.run(() -> Gradients.off(() -> {
                        BlockState.Keeper keeper = new BlockState.Keeper(BlockState.NOTHING);
                        return keeper.keep(pass.input(features, keeper));
                    })));
        }
    }

    private JavaRDD<BlockState> middle(JavaRDD<BlockState> states, int round) {
        SharedDetector shared = detector;
        return BlockRounds.next(
                plans,
                states,
                (now, messages, keeper) -> open(shared.get().model(), (network, pass) -> List.of(
                                keeper.keep(pass.round(round, now, messages, keeper)))
                        .iterator()),
                List.of(BlockState.NOTHING));
    }

    private JavaRDD<BlockForward> last(JavaRDD<BlockState> states, int round) {
        SharedDetector shared = detector;
        return BlockRounds.next(
                plans,
                states,
                (now, messages, keeper) ->
                        open(shared.get().model(), (network, pass) -> List.of(BlockForward.of(keeper.forward(
                                        pass.output(pass.round(round, now, messages, keeper), keeper),
                                        shared.get().model().architecture().isEvidential())))
                                .iterator()),
                List.of());
    }

    private static <R> Iterator<R> readOn(Detector detector, NodeBlock block, Forward forward, Reader<R> reader) {
        BlockRounds.requireSame(forward.nodes(), block.nodes());
        return OneCore.run(() -> reader.read(detector, block, forward));
    }

    private static int layers(Model model) {
        return open(model, (network, pass) -> network.layers());
    }

    private static <R> R open(Model model, BiFunction<Network, Pass, R> body) {
        try (Weights weights = Weights.of(model.parameters())) {
            Network network = model.architecture().network(weights, model.shape(), model.options());
            return body.apply(network, network.pass(Dropout.OFF));
        }
    }
}
