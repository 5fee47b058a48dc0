// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.graph.Graph;
import dev.nescio.spark.Graphs;
import dev.nescio.spark.LocalSpark;
import dev.nescio.spark.benchmark.ShuffleMeter;
import dev.nescio.spark.table.GraphTables;
import dev.nescio.spark.table.TableColumns;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

class BlockRoundsTest {

    private static final int WIDTH = 64;

    /** A row is sent once to every block that hears it, and little besides rows is sent. */
    @Test
    void aRoundSendsLittleMoreThanItsRows() throws Exception {
        Graph graph = Graphs.random(2000, WIDTH, 3);
        ByBlock by = new ByBlock(4);
        TableColumns columns = TableColumns.of(null);
        try (SparkSession spark = LocalSpark.start()) {
            JavaRDD<NodeBlock> nodes = NodeBlock.of(
                            GraphTables.nodes(Graphs.nodes(spark, graph), columns, null, WIDTH), WIDTH, by)
                    .cache();
            BlockPlans plans = BlockPlans.of(nodes, GraphTables.edges(Graphs.edges(spark, graph), columns), false, by);
            ShuffleMeter meter = new ShuffleMeter(spark);
            List<Long> sent = new ArrayList<>();
            meter.begin();
            PlainLayers.run(nodes, plans, new float[WIDTH * WIDTH], 2, (round, rounds, seconds) -> {
                sent.add(meter.end("round " + round));
                meter.begin();
            });
            BlockPlans.Size size = plans.size();
            assertThat(size.nodes()).isEqualTo(graph.nodes());
            assertThat(size.edges()).isEqualTo(graph.adjacency().edges());
            assertThat(size.rowsSent()).isBetween(1L, size.edgesCut());
            assertThat(sent).hasSize(3);
            assertThat(sent.get(0)).isZero();
            double row = 1.0 * Float.BYTES * WIDTH;
            assertThat(sent.subList(1, 3)).allSatisfy(bytes -> assertThat((double) bytes)
                    .isPositive()
                    .isLessThanOrEqualTo(1.2 * size.rowsSent() * row)
                    .isLessThanOrEqualTo(1.2 * size.edgesCut() * row));
        }
    }
}
