// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.matrix.SparseMatrix;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** A SHA-256 over everything in a graph that can change a score: two runs on one fingerprint saw the same data. */
public final class Fingerprint {

    private static final int CHUNK = 1 << 14;

    private final MessageDigest digest;
    private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);

    private Fingerprint() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /**
     * The fingerprint of a graph, 64 hexadecimal digits. Names, ids and splits do not count; dense and sparse features of the
     * same values differ.
     */
    public static String of(Graph graph) {
        Fingerprint print = new Fingerprint();
        print.add(graph.adjacency().pointers());
        print.add(graph.adjacency().neighbours());
        if (graph.features() instanceof SparseMatrix sparse) {
            print.add(sparse.pointers());
            print.add(sparse.indices());
            print.add(sparse.values());
        } else if (graph.features() instanceof DenseMatrix dense) {
            print.add(dense.values());
        }
        print.add(graph.features().columns(), graph.classes().size());
        print.add(graph.labels());
        return HexFormat.of().formatHex(print.digest.digest());
    }

    /** The same of a graph that is read block by block; features count as dense ones. */
    public static String of(BlockGraph graph) {
        Fingerprint print = new Fingerprint();
        int end = 0;
        print.add(0);
        for (int degree : graph.degrees()) {
            end += degree;
            print.add(end);
        }
        forEachBlock(graph, (from, count) -> print.add(graph.links(from, count).neighbours()));
        forEachBlock(graph, (from, count) -> {
            Matrix rows = graph.features(from, count);
            print.add((rows instanceof SparseMatrix sparse ? sparse.toDense() : (DenseMatrix) rows).values());
        });
        print.add(graph.features(), graph.classes().size());
        print.add(graph.labels());
        return HexFormat.of().formatHex(print.digest.digest());
    }

    private interface Range {
        void of(int from, int count);
    }

    private static void forEachBlock(BlockGraph graph, Range range) {
        for (int from = 0; from < graph.nodes(); from += CHUNK) {
            range.of(from, Math.min(CHUNK, graph.nodes() - from));
        }
    }

    /** Of the hidden states of nodes. */
    public static String of(List<DenseMatrix> states) {
        Fingerprint print = new Fingerprint();
        for (DenseMatrix state : states) {
            print.add(state.rows(), state.columns());
            print.add(state.values());
        }
        return HexFormat.of().formatHex(print.digest.digest());
    }

    private void add(int... values) {
        for (int from = 0; from < values.length; from += CHUNK) {
            int length = Math.min(CHUNK, values.length - from);
            chunk.clear().asIntBuffer().put(values, from, length);
            digest.update(chunk.limit(length * Integer.BYTES));
        }
    }

    private void add(float[] values) {
        for (int from = 0; from < values.length; from += CHUNK) {
            int length = Math.min(CHUNK, values.length - from);
            chunk.clear().asFloatBuffer().put(values, from, length);
            digest.update(chunk.limit(length * Float.BYTES));
        }
    }
}
