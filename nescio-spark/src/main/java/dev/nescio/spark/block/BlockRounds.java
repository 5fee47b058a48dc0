// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import dev.nescio.model.layer.Held;
import dev.nescio.model.layer.Round;
import dev.nescio.problem.BadInput;
import dev.nescio.spark.broadcast.OneCore;
import dev.nescio.tensor.Arena;
import dev.nescio.tensor.Gradients;
import dev.nescio.tensor.NativeRows;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import scala.Tuple2;

/** One round of messages between all blocks: one shuffle, after which every block computes by itself. */
final class BlockRounds {

    private BlockRounds() {}

    /** What a block does with what it has heard. */
    @FunctionalInterface
    interface Step<R> extends Serializable {

        /**
         * Runs on one core, in a scope of its own.
         *
         * @param now what the block's nodes and then all others that they hear hold
         */
        R apply(Held now, Round messages, BlockState.Keeper keeper);
    }

    /**
     * Sends what neighbours are to hear, and lets every block make something of it.
     *
     * @param ofNobody what a block without nodes makes
     */
    static <R> JavaRDD<R> next(BlockPlans plans, JavaRDD<BlockState> states, Step<Iterator<R>> step, List<R> ofNobody) {
        JavaRDD<Tuple2<BlockPlan, BlockState>> blocks = plans.plans()
                .zipPartitions(states, (plan, state) -> List.of(new Tuple2<>(plan.next(), state.next()))
                        .iterator());
        JavaPairRDD<Integer, Message.Outgoing> sent = blocks.mapPartitionsWithIndex(
                        (number, one) -> {
                            Tuple2<BlockPlan, BlockState> block = one.next();
                            return Message.of(number, block._1, block._2.heard());
                        },
                        true)
                .mapToPair(message -> message);
        JavaRDD<Message> inbox = Exchange.of(sent, plans.by().numPartitions());
        return blocks.zipPartitions(inbox, (one, messages) -> {
            Tuple2<BlockPlan, BlockState> block = one.next();
            return block._1.nodes() == 0 ? ofNobody.iterator() : compute(block._1, block._2, messages, step);
        });
    }

    private static <R> R compute(BlockPlan plan, BlockState before, Iterator<Message> messages, Step<R> step) {
        requireSame(plan.nodes(), before.heard().count());
        return OneCore.run(() -> {
            try (NativeRows rows = new NativeRows(plan.rows(), before.heard().columns());
                    Arena arena = new Arena()) {
                rows.put(0, before.heard().values());
                while (messages.hasNext()) {
                    messages.next().putInto(rows, plan);
                }
                Round round = new Round(plan.neighbourhood(), arena);
                return Scope.run(() -> Gradients.off(() -> {
                    BlockState.Keeper keeper = new BlockState.Keeper(before);
                    return step.apply(held(plan, before, rows.all(), keeper), round, keeper);
                }));
            }
        });
    }

    /** A block that was lost is computed again, from the Datasets; these may have other rows by then, where they draw by chance. */
    static void requireSame(int planned, int found) {
        if (planned != found) {
            throw new BadInput("nodes gave other rows when it was read again: a block of " + planned + " nodes has "
                    + found + " now; write it to a table first");
        }
    }

    /** Rows that are both heard and kept are one object, and become one tensor. */
    @SuppressWarnings("ReferenceEquality")
    private static Held held(BlockPlan plan, BlockState before, Tensor heard, BlockState.Keeper keeper) {
        List<Tensor> own = new ArrayList<>();
        for (Rows rows : before.own()) {
            own.add(keeper.loaded(rows, rows == before.heard() ? heard.firstRows(plan.nodes()) : rows.tensor()));
        }
        return new Held(heard, own);
    }
}
