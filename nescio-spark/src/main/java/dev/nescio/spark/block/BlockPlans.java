// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import dev.nescio.problem.BadInput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * The plans of all blocks of a graph. Blocks own the edges that end in their nodes. Each finds out once whose rows it needs and asks for
 * them by id; from then on rows are sent without being asked for.
 */
public final class BlockPlans {

    private static final StorageLevel KEPT = StorageLevel.MEMORY_AND_DISK();

    private final JavaRDD<BlockPlan> plans;
    private final ByBlock by;
    private final Size size;

    /** Computes the plans. */
    private BlockPlans(JavaRDD<BlockPlan> plans, ByBlock by) {
        this.plans = plans;
        this.by = by;
        this.size = plans.map(Size::of).fold(Size.NOTHING, Size::plus);
    }

    /** An edge by the ids of its ends; null where an id is missing. */
    public record Edge(@Nullable String source, @Nullable String target) implements Serializable {}

    /** How large the planned rounds are. */
    @DefaultSerializer(JavaSerializer.class)
    public record Size(long nodes, long edges, long edgesCut, long rowsSent) implements Serializable {

        private static final Size NOTHING = new Size(0, 0, 0, 0);

        private static Size of(BlockPlan plan) {
            return new Size(
                    plan.nodes(),
                    plan.sources().length,
                    Arrays.stream(plan.sources())
                            .filter(row -> row >= plan.nodes())
                            .count(),
                    plan.rows() - plan.nodes());
        }

        private Size plus(Size other) {
            return new Size(
                    nodes + other.nodes, edges + other.edges, edgesCut + other.edgesCut, rowsSent + other.rowsSent);
        }
    }

    /**
     * Plans the rounds of a graph. Loops are dropped and repeated edges counted once; an edge to an unknown node is refused.
     *
     * @param nodes in blocks, kept by the caller while plans are used
     * @param directed whether messages go from source to target only
     */
    public static BlockPlans of(JavaRDD<NodeBlock> nodes, JavaRDD<Edge> edges, boolean directed, ByBlock by) {
        JavaPairRDD<Integer, byte[]> sent = edges.mapPartitionsToPair(
                        some -> new Chunks<>(some, by.numPartitions(), (edge, to) -> pack(edge, directed, by, to)))
                .partitionBy(by);
        JavaRDD<Tuple2<Integer, Heard>> heard = zip(
                        nodes, sent, (block, own, chunks) -> Heard.of(block, own, chunks, by))
                .persist(KEPT);
        JavaPairRDD<Integer, Wish> wishes =
                heard.flatMapToPair(BlockPlans::wishes).partitionBy(by);
        JavaRDD<Tuple2<Integer, List<BlockPlan.Send>>> sends =
                zip(nodes, wishes, (block, own, asked) -> sends(own, asked)).persist(KEPT);
        JavaPairRDD<Integer, Degrees> degrees = heard.zipPartitions(
                        sends,
                        (own, send) -> degrees(own.next(), send.next()._2).iterator())
                .mapToPair(pair -> pair)
                .partitionBy(by);
        JavaRDD<BlockPlan> plans = heard.zipPartitions(
                        sends, (own, send) -> List.of(new Tuple2<>(own.next()._2, send.next()._2))
                                .iterator())
                .zipPartitions(degrees, (own, told) -> {
                    Tuple2<Heard, List<BlockPlan.Send>> mine = own.next();
                    return List.of(plan(mine._1, mine._2, told)).iterator();
                });
        BlockPlans made = null;
        try {
            made = new BlockPlans(plans.persist(KEPT), by);
            return made;
        } finally {
            heard.unpersist(false);
            sends.unpersist(false);
            if (made == null) {
                plans.unpersist(false);
            }
        }
    }

    private static void pack(Edge edge, boolean directed, ByBlock by, Chunks<Edge> to) throws IOException {
        String source = present(edge.source(), "source");
        String target = present(edge.target(), "target");
        DataOutputStream forth = to.to(by.of(target));
        Chunks.writeText(target, forth);
        Chunks.writeText(source, forth);
        if (!directed) {
            DataOutputStream back = to.to(by.of(source));
            Chunks.writeText(source, back);
            Chunks.writeText(target, back);
        }
    }

    private static String present(@Nullable String id, String end) {
        if (id == null) {
            throw new BadInput("edges: a " + end + " is missing");
        }
        return id;
    }

    @FunctionalInterface
    private interface Body<A, B, R> extends Serializable {
        R apply(int block, A own, Iterator<Tuple2<Integer, B>> arrived);
    }

    /** What a block makes of itself and of what has arrived for it, with its number. */
    private static <A, B, R> JavaRDD<Tuple2<Integer, R>> zip(
            JavaRDD<A> blocks, JavaPairRDD<Integer, B> arrived, Body<A, B, R> body) {
        return blocks.mapPartitionsWithIndex(
                        (number, one) ->
                                List.of(new Tuple2<>(number, one.next())).iterator(),
                        true)
                .zipPartitions(arrived, (one, messages) -> {
                    Tuple2<Integer, A> block = one.next();
                    return List.of(new Tuple2<>(block._1, body.apply(block._1, block._2, messages)))
                            .iterator();
                });
    }

    /** Ids that a block wants to hear of. */
    @DefaultSerializer(JavaSerializer.class)
    private record Wish(int block, String[] ids) implements Serializable {}

    private static Iterator<Tuple2<Integer, Wish>> wishes(Tuple2<Integer, Heard> block) {
        return block._2.wanted().entrySet().stream()
                .map(entry -> new Tuple2<>(entry.getKey(), new Wish(block._1, entry.getValue())))
                .iterator();
    }

    private static List<BlockPlan.Send> sends(NodeBlock own, Iterator<Tuple2<Integer, Wish>> asked) {
        List<BlockPlan.Send> sends = new ArrayList<>();
        Ids known = own.rows();
        while (asked.hasNext()) {
            Wish wish = asked.next()._2;
            int[] rows = new int[wish.ids.length];
            for (int i = 0; i < rows.length; i++) {
                rows[i] = Heard.row(wish.ids[i], known);
            }
            sends.add(new BlockPlan.Send(wish.block, rows));
        }
        sends.sort(Comparator.comparingInt(BlockPlan.Send::block));
        return new ArrayList<>(sends);
    }

    /** How many neighbours the rows have that a block sends. */
    @DefaultSerializer(JavaSerializer.class)
    private record Degrees(int block, int[] values) implements Serializable {}

    private static List<Tuple2<Integer, Degrees>> degrees(Tuple2<Integer, Heard> own, List<BlockPlan.Send> sends) {
        List<Tuple2<Integer, Degrees>> told = new ArrayList<>();
        for (BlockPlan.Send send : sends) {
            int[] values = Arrays.stream(send.rows()).map(own._2::degree).toArray();
            told.add(new Tuple2<>(send.block(), new Degrees(own._1, values)));
        }
        return told;
    }

    private static BlockPlan plan(Heard heard, List<BlockPlan.Send> sends, Iterator<Tuple2<Integer, Degrees>> told) {
        int[] degrees = Arrays.copyOf(
                IntStream.range(0, heard.nodes()).map(heard::degree).toArray(),
                heard.begins()[heard.begins().length - 1]);
        while (told.hasNext()) {
            Degrees some = told.next()._2;
            System.arraycopy(some.values, 0, degrees, heard.begins()[some.block], some.values.length);
        }
        return new BlockPlan(heard.nodes(), heard.pointers(), heard.sources(), degrees, heard.begins(), sends);
    }

    /** How large a round is. */
    public Size size() {
        return size;
    }

    JavaRDD<BlockPlan> plans() {
        return plans;
    }

    ByBlock by() {
        return by;
    }

    /** Lets Spark forget the plans. */
    public void forget() {
        plans.unpersist(false);
    }
}
