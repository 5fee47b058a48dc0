// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.pack;

import dev.nescio.io.file.CrashPoint;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.matrix.SparseMatrix;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Brings ids and features that do not fit into memory into another order: each row goes to the bucket of its new number, a file, and
 * one bucket after the other is put in order.
 */
final class RowBuckets implements Closeable {

    /** Bytes of a bucket that is put in order in memory, about. */
    private static final long BUCKET_BYTES = 1L << 27;
    /** Of an id in memory, about. */
    private static final int ID_BYTES = 80;

    private static final int MOST_BUCKETS = 256;

    private final int nodes;
    private final int columns;
    private final int perBucket;
    private final List<Path> files = new ArrayList<>();
    private final List<DataOutputStream> buckets = new ArrayList<>();

    /** @param folder for the buckets, which are gone when this is closed */
    RowBuckets(Path folder, int nodes, int columns) throws IOException {
        long rows = Math.max(1, BUCKET_BYTES / ((long) Float.BYTES * columns + ID_BYTES));
        long least = (nodes + (long) MOST_BUCKETS - 1) / MOST_BUCKETS;
        long pieces = (Math.max(rows, least) + PackWriter.PIECE - 1) / PackWriter.PIECE;
        this.nodes = nodes;
        this.columns = columns;
        this.perBucket = (int) Math.min(Integer.MAX_VALUE, pieces * PackWriter.PIECE);
        for (long from = 0; from < nodes; from += perBucket) {
            Path file = folder.resolve("rows-" + files.size());
            files.add(file);
            buckets.add(new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)));
        }
    }

    /** Adds some rows. */
    void add(int[] numbers, int from, List<String> ids, Matrix features) throws IOException {
        for (int i = 0; i < ids.size(); i++) {
            int number = numbers[from + i];
            DataOutputStream out = buckets.get(number / perBucket);
            out.writeInt(number);
            byte[] id = ids.get(i).getBytes(StandardCharsets.UTF_8);
            out.writeInt(id.length);
            out.write(id);
            row(features, i, out);
        }
    }

    private void row(Matrix features, int i, DataOutputStream out) throws IOException {
        if (features instanceof SparseMatrix sparse) {
            out.writeInt(sparse.pointers()[i + 1] - sparse.pointers()[i]);
            for (int e = sparse.pointers()[i]; e < sparse.pointers()[i + 1]; e++) {
                out.writeInt(sparse.indices()[e]);
                out.writeFloat(sparse.values()[e]);
            }
        } else {
            float[] values = ((DenseMatrix) features).values();
            out.writeInt(-1);
            for (int c = i * columns; c < (i + 1) * columns; c++) {
                out.writeFloat(values[c]);
            }
        }
    }

    /** Writes all rows in their new order. */
    void writeTo(PackWriter writer) throws IOException {
        for (int b = 0; b < files.size(); b++) {
            buckets.get(b).close();
            CrashPoint.pass();
            int begin = b * perBucket;
            Rows rows = read(files.get(b), begin, (int) Math.min(perBucket, nodes - (long) begin));
            Files.delete(files.get(b));
            CrashPoint.pass();
            for (int from = 0; from < rows.ids.length; from += PackWriter.PIECE) {
                int end = Math.min(rows.ids.length, from + PackWriter.PIECE);
                float[] values = Arrays.copyOfRange(rows.values, from * columns, end * columns);
                writer.features(DenseMatrix.of(end - from, columns, values).compact());
                writer.ids(Arrays.asList(rows.ids).subList(from, end));
            }
        }
    }

    private record Rows(String[] ids, float[] values) {}

    private Rows read(Path file, int begin, int count) throws IOException {
        String[] ids = new String[count];
        float[] values = new float[Math.multiplyExact(count, columns)];
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
            for (int i = 0; i < count; i++) {
                int row = in.readInt() - begin;
                ids[row] = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
                int stored = in.readInt();
                for (int e = 0; e < (stored < 0 ? columns : stored); e++) {
                    int column = stored < 0 ? e : in.readInt();
                    values[row * columns + column] = in.readFloat();
                }
            }
        }
        return new Rows(ids, values);
    }

    @Override
    public void close() throws IOException {
        for (int b = 0; b < files.size(); b++) {
            buckets.get(b).close();
            Files.deleteIfExists(files.get(b));
        }
    }
}
