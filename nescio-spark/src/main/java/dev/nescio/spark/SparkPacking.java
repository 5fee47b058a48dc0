// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark;

import dev.nescio.graph.TableSchema;
import dev.nescio.io.graph.TableGraph;
import dev.nescio.io.graph.TableLayout;
import dev.nescio.io.graph.TablePacker;
import dev.nescio.io.pack.NodeOrder;
import dev.nescio.spark.table.DatasetSource;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/**
 * Packs the graph of two Datasets, or the part of it that they have been filtered to, into one file that a single machine can go on with.
 * The file is written by the driver, which streams both Datasets and holds neither.
 *
 * <pre>{@code
 * SparkPacking.pack(nodes, edges, TableLayout.defaults(), null, Path.of("graph.npk"));
 * }</pre>
 */
public final class SparkPacking {

    private SparkPacking() {}

    /**
     * Packs two Datasets as {@code nescio pack} packs two files with the same rows. Nodes are numbered in the order of the Dataset.
     *
     * @param known what columns meant when a detector was trained; null to learn it from the first rows
     * @param target on a disk of the driver
     */
    public static void pack(
            Dataset<Row> nodes, Dataset<Row> edges, TableLayout layout, @Nullable TableSchema known, Path target) {
        TablePacker.Tables tables = new TablePacker.Tables(
                "nodes", new DatasetSource("nodes", nodes), new DatasetSource("edges", edges), layout, known);
        TablePacker.pack(tables, NodeOrder.TABLE, TableGraph.Listener.NONE, target);
    }
}
