// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark;

import dev.nescio.graph.BlockGraph;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.TableSchema;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.model.block.RowFile;
import dev.nescio.problem.BadInput;
import dev.nescio.spark.block.HopPass;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Nodes that something is learned from, with their hops in a file of the driver. */
final class HopRows implements BlockGraph, AutoCloseable {

    private final Graph labelled;
    private final int[] nodes;
    private final TableSchema schema;
    private final RowFile hops;
    private final int[] degrees;
    private int taken;

    /**
     * @param labelled nodes with ids and labels
     * @param wanted which of them these are
     * @param width of all hops of a node
     */
    HopRows(Graph labelled, NodeSet wanted, TableSchema schema, int width, Path folder) {
        this.labelled = labelled;
        this.nodes = wanted.toArray();
        this.schema = schema;
        this.hops = new RowFile(folder.resolve("hops"), width);
        this.degrees = new int[nodes.length];
    }

    /** Where every node belongs, by its id. */
    Map<String, Integer> places() {
        Map<String, Integer> places = new HashMap<>();
        for (int i = 0; i < nodes.length; i++) {
            places.put(labelled.ids().name(nodes[i]), i);
        }
        return places;
    }

    /** Writes every row where it belongs, in whatever order they come. */
    void take(Iterator<HopPass.Row> rows) {
        while (rows.hasNext()) {
            HopPass.Row row = rows.next();
            hops.write(row.place(), row.values());
            degrees[row.place()] = row.degree();
            taken++;
        }
    }

    /** Refuses rows that never came: a Dataset that draws by chance gives other rows whenever it is read. */
    void requireAll() {
        if (taken != nodes.length) {
            throw new BadInput("nodes gave other rows when it was read again: of " + nodes.length
                    + " nodes to learn from " + taken + " came; write it to a table first");
        }
    }

    @Override
    public String name() {
        return labelled.name();
    }

    @Override
    public int nodes() {
        return nodes.length;
    }

    @Override
    public int features() {
        return hops.columns();
    }

    @Override
    public int[] degrees() {
        return degrees;
    }

    /** Nobody hears anybody here: what was heard is part of the hops. */
    @Override
    public Links links(int from, int count) {
        return new Links(new int[count + 1], new int[0]);
    }

    @Override
    public Matrix features(int from, int count) {
        return DenseMatrix.of(count, hops.columns(), hops.read(from, count));
    }

    @Override
    public List<String> ids(int from, int count) {
        return IntStream.range(from, from + count)
                .mapToObj(i -> labelled.ids().name(nodes[i]))
                .toList();
    }

    @Override
    public boolean isNumbered() {
        return false;
    }

    @Override
    public int[] labels() {
        return IntStream.of(nodes).map(labelled::label).toArray();
    }

    @Override
    public List<String> classes() {
        return labelled.classes();
    }

    @Override
    public TableSchema schema() {
        return schema;
    }

    @Override
    public void close() {
        hops.close();
    }
}
