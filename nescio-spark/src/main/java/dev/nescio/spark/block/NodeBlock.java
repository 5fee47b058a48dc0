// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.matrix.SparseMatrix;
import dev.nescio.problem.BadInput;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/** The nodes of a block in the {@linkplain IdOrder order of their ids}, so that a block is the same whatever order its nodes arrived in. */
public final class NodeBlock implements Serializable {

    private final String[] ids;
    private final int columns;
    /** Where the features of each node begin; null where all are stored. */
    private final int @Nullable [] pointers;

    private final int @Nullable [] indices;
    private final float[] values;

    private NodeBlock(String[] ids, Matrix features) {
        this.ids = ids;
        this.columns = features.columns();
        if (features instanceof SparseMatrix sparse) {
            this.pointers = sparse.pointers();
            this.indices = sparse.indices();
            this.values = sparse.values();
        } else {
            this.pointers = null;
            this.indices = null;
            this.values = ((DenseMatrix) features).values();
        }
    }

    /** Brings nodes to their blocks; refuses an id that two of them have. */
    public static JavaRDD<NodeBlock> of(JavaRDD<Node> nodes, int width, ByBlock by) {
        JavaPairRDD<Integer, byte[]> sent = nodes.mapPartitionsToPair(some ->
                        new Chunks<>(some, by.numPartitions(), (node, to) -> node.write(to.to(by.of(node.id())))))
                .partitionBy(by);
        return sent.mapPartitions(chunks -> List.of(read(chunks, width)).iterator(), true);
    }

    static NodeBlock read(Iterator<Tuple2<Integer, byte[]>> chunks, int width) {
        List<Entry> all = new ArrayList<>();
        while (chunks.hasNext()) {
            ChunkReader chunk = new ChunkReader(chunks.next()._2);
            while (chunk.hasMore()) {
                all.add(Entry.read(chunk, width));
            }
        }
        all.sort((a, b) -> IdOrder.BY_NUMBER.compare(a.id, b.id));
        for (int i = 1; i < all.size(); i++) {
            if (all.get(i).id.equals(all.get(i - 1).id)) {
                throw new BadInput("nodes: '" + all.get(i).id + "' is the id of two nodes");
            }
        }
        return new NodeBlock(all.stream().map(entry -> entry.id).toArray(String[]::new), features(all, width));
    }

    private record Entry(String id, int @Nullable [] indices, float[] values) {

        static Entry read(ChunkReader chunk, int width) {
            String id = chunk.text();
            int present = chunk.number();
            if (present < 0) {
                float[] values = new float[width];
                chunk.decimals(values, 0, width);
                return new Entry(id, null, values);
            }
            int[] indices = new int[present];
            float[] values = new float[present];
            for (int i = 0; i < present; i++) {
                indices[i] = chunk.number();
                values[i] = chunk.decimal();
            }
            return new Entry(id, indices, values);
        }
    }

    /** Sparse where every row is. */
    private static Matrix features(List<Entry> all, int width) {
        if (all.isEmpty() || all.stream().anyMatch(entry -> entry.indices == null)) {
            float[] values = new float[Rows.size(all.size(), width)];
            for (int row = 0; row < all.size(); row++) {
                Entry entry = all.get(row);
                for (int i = 0; i < entry.values.length; i++) {
                    values[row * width + (entry.indices == null ? i : entry.indices[i])] = entry.values[i];
                }
            }
            return DenseMatrix.of(all.size(), width, values);
        }
        int[] pointers = new int[all.size() + 1];
        for (int row = 0; row < all.size(); row++) {
            pointers[row + 1] = Rows.size((long) pointers[row] + all.get(row).values.length, 1);
        }
        int[] indices = new int[pointers[all.size()]];
        float[] values = new float[indices.length];
        for (int row = 0; row < all.size(); row++) {
            Entry entry = all.get(row);
            System.arraycopy(Objects.requireNonNull(entry.indices), 0, indices, pointers[row], entry.values.length);
            System.arraycopy(entry.values, 0, values, pointers[row], entry.values.length);
        }
        return SparseMatrix.of(width, pointers, indices, values);
    }

    /** How many nodes it has; may be none. */
    public int nodes() {
        return ids.length;
    }

    /** The ids of the nodes, in their order. */
    public List<String> ids() {
        return List.of(ids);
    }

    /** The row of every node, by its id; made anew. */
    Ids rows() {
        return new Ids(ids);
    }

    /** The features of the nodes, as they came. */
    public Matrix features() {
        return pointers == null || indices == null
                ? DenseMatrix.of(ids.length, columns, values)
                : SparseMatrix.of(columns, pointers, indices, values);
    }
}
