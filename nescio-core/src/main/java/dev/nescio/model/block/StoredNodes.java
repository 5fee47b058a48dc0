// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.block;

import dev.nescio.graph.BlockGraph;
import dev.nescio.graph.Neighbours;
import dev.nescio.graph.Surroundings;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.matrix.SparseMatrix;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.UnaryOperator;

/**
 * Prepared features and neighbours of every node in two files of our own, from which single nodes are read in any order. The files are
 * gone when it is closed. One reader at a time.
 */
public final class StoredNodes implements Neighbours, AutoCloseable {

    private static final int NODES_AT_A_TIME = 1 << 14;

    private final String name;
    private final int[] degrees;
    /** Where the neighbours of each node begin. */
    private final long[] begins;

    private final RowFile features;
    private final Path linkFile;
    private final FileChannel links;
    private ByteBuffer buffer = buffer(1 << 12);

    /**
     * Copies a graph.
     *
     * @param preparation of features, row by row
     */
    public StoredNodes(BlockGraph graph, UnaryOperator<Matrix> preparation, Path folder) {
        this.name = graph.name();
        this.degrees = graph.degrees();
        this.begins = new long[degrees.length];
        this.features = new RowFile(folder.resolve("features"), graph.features());
        this.linkFile = folder.resolve("links");
        try {
            this.links = FileChannel.open(
                    linkFile, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
            long end = 0;
            for (int from = 0; from < graph.nodes(); from += NODES_AT_A_TIME) {
                int count = Math.min(NODES_AT_A_TIME, graph.nodes() - from);
                features.write(from, dense(preparation.apply(graph.features(from, count))));
                end = append(graph.links(from, count), from, end);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static float[] dense(Matrix rows) {
        return rows instanceof SparseMatrix sparse
                ? sparse.toDense(0, rows.rows()).values()
                : ((DenseMatrix) rows).values();
    }

    private long append(BlockGraph.Links some, int from, long end) throws IOException {
        ByteBuffer bytes = buffer(some.neighbours().length);
        bytes.asIntBuffer().put(some.neighbours());
        long at = end * Integer.BYTES;
        while (bytes.hasRemaining()) {
            at += links.write(bytes, at);
        }
        for (int i = 0; i + 1 < some.pointers().length; i++) {
            begins[from + i] = end + some.pointers()[i];
        }
        return end + some.neighbours().length;
    }

    private static ByteBuffer buffer(int ints) {
        return ByteBuffer.allocateDirect(Math.multiplyExact(ints, Integer.BYTES))
                .order(ByteOrder.nativeOrder());
    }

    @Override
    public int nodes() {
        return degrees.length;
    }

    @Override
    public int degree(int node) {
        return degrees[node];
    }

    @Override
    public void copyRow(int node, int[] into, int at) {
        int bytes = degrees[node] * Integer.BYTES;
        if (buffer.capacity() < bytes) {
            buffer = buffer(2 * degrees[node]);
        }
        try {
            buffer.clear().limit(bytes);
            long place = begins[node] * Integer.BYTES;
            while (buffer.hasRemaining()) {
                int read = links.read(buffer, place);
                if (read < 0) {
                    throw new IOException(linkFile + " ends too early");
                }
                place += read;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        buffer.flip().asIntBuffer().get(into, at, degrees[node]);
    }

    /** The same as a network asks for it. */
    public Surroundings surroundings() {
        return new Surroundings(
                name,
                features.columns(),
                this,
                some -> DenseMatrix.of(some.length, features.columns(), features.gather(some)));
    }

    @Override
    public void close() {
        features.close();
        try {
            links.close();
            Files.deleteIfExists(linkFile);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
