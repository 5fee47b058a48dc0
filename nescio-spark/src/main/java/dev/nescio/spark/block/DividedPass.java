// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import dev.nescio.detector.BlockScoring;
import dev.nescio.detector.Detector;
import dev.nescio.detector.DividedDetector;
import dev.nescio.graph.NodeIds;
import dev.nescio.model.Forward;
import dev.nescio.spark.broadcast.OneCore;
import dev.nescio.spark.broadcast.SharedDetector;
import dev.nescio.uncertainty.Divisible;
import dev.nescio.uncertainty.Evidence;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * A pass of a detector whose training rows are more than a machine should hold. Every machine gets one part of them after the other and
 * compares all its nodes with it; what the parts say is joined, so that scores are those of all rows together.
 */
public final class DividedPass {

    private final JavaRDD<NodeBlock> nodes;
    private final BlockPlans plans;
    private final DividedDetector detector;
    private final JavaSparkContext spark;

    /** @param nodes in blocks, which should be kept by the caller */
    public DividedPass(JavaRDD<NodeBlock> nodes, BlockPlans plans, DividedDetector detector, JavaSparkContext spark) {
        this.nodes = nodes;
        this.plans = plans;
        this.detector = detector;
        this.spark = spark;
    }

    /**
     * Runs all rounds and all comparisons. What is read is kept, and nothing else: states are larger.
     *
     * @param reader is given a detector that knows what all parts have said about the block
     */
    public <R> JavaRDD<R> run(ModelPass.Reader<R> reader, ModelPass.Listener listener) {
        SharedDetector head = SharedDetector.of(detector.head(), spark);
        ModelPass pass = new ModelPass(nodes, plans, head);
        try (Kept kept = new Kept()) {
            JavaRDD<Tuple2<NodeBlock, BlockForward>> blocks = kept.keep(nodes.zipPartitions(
                    pass.forwards(listener),
                    (block, forward) -> forward.hasNext()
                            ? List.of(new Tuple2<>(block.next(), forward.next()))
                                    .iterator()
                            : Collections.<Tuple2<NodeBlock, BlockForward>>emptyIterator()));
            JavaRDD<Said> said = blocks.map(block -> new Said(new ArrayList<>()));
            for (int number = 0; number < detector.parts(); number++) {
                SharedDetector part = SharedDetector.part(detector.part(number), spark);
                JavaRDD<Said> before = said;
                said = kept.keep(heard(blocks, before, head, part, detector.begin(number)));
                said.count();
                pass.forget();
                kept.forget(before);
                part.forget();
            }
            JavaRDD<R> read = kept.keep(blocks.zipPartitions(
                    said,
                    (block, all) -> block.hasNext()
                            ? read(head.get(), block.next(), all.next(), reader)
                            : Collections.<R>emptyIterator()));
            read.count();
            return kept.handOver(read);
        } finally {
            pass.forget();
        }
    }

    private static JavaRDD<Said> heard(
            JavaRDD<Tuple2<NodeBlock, BlockForward>> blocks,
            JavaRDD<Said> before,
            SharedDetector head,
            SharedDetector part,
            int begin) {
        return blocks.zipPartitions(
                before,
                (block, said) -> block.hasNext()
                        ? List.of(said.next().and(compare(head.get(), part.get(), begin, block.next())))
                                .iterator()
                        : Collections.<Said>emptyIterator());
    }

    private static Said compare(Detector head, Detector part, int begin, Tuple2<NodeBlock, BlockForward> block) {
        NodeBlock nodes = block._1;
        Evidence evidence = BlockScoring.evidence(
                head, head.nodes(), NodeIds.named(nodes.ids()), block._2.forward(), nodes::features);
        return OneCore.run(() -> new Said(new ArrayList<>(DividedDetector.compare(part, begin, evidence))));
    }

    private static <R> Iterator<R> read(
            Detector head, Tuple2<NodeBlock, BlockForward> block, Said all, ModelPass.Reader<R> reader) {
        Forward forward = block._2.forward();
        return OneCore.run(() -> reader.read(DividedDetector.told(head, all.byEstimator), block._1, forward));
    }

    /** What training rows say about the nodes of a block, for each estimator that compares with them; nothing at first. */
    @DefaultSerializer(JavaSerializer.class)
    private record Said(ArrayList<Divisible.Comparison> byEstimator) implements Serializable {

        Said and(Said others) {
            if (byEstimator.isEmpty()) {
                return others;
            }
            ArrayList<Divisible.Comparison> joined = new ArrayList<>();
            for (int i = 0; i < byEstimator.size(); i++) {
                joined.add(byEstimator.get(i).and(others.byEstimator.get(i)));
            }
            return new Said(joined);
        }
    }
}
