// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.pack;

import dev.nescio.graph.BlockGraph;
import dev.nescio.io.file.CrashPoint;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Sorts edges that do not fit into memory by their targets: each goes to the bucket of its target, a file, and one bucket after the other
 * is sorted. Loops are dropped, repeats counted once.
 */
public final class EdgeBuckets implements Closeable {

    /** Edges of a bucket that is sorted in memory, about. */
    private static final long BUCKET_EDGES = 1L << 23;

    private static final int MOST_BUCKETS = 256;

    private final int nodes;
    private final int perBucket;
    private final List<Path> files = new ArrayList<>();
    private final List<DataOutputStream> buckets = new ArrayList<>();
    private final long[] sizes;
    private long loops;
    private long edges;

    /**
     * @param folder for the buckets, which are gone when this is closed
     * @param expectedEdges with directions, about; decides on the number of buckets
     */
    public EdgeBuckets(Path folder, int nodes, long expectedEdges) throws IOException {
        long wanted = Math.max(1, Math.min(MOST_BUCKETS, expectedEdges / BUCKET_EDGES + 1));
        long pieces = (nodes + (long) PackWriter.PIECE - 1) / PackWriter.PIECE;
        this.nodes = nodes;
        this.perBucket = (int) Math.min(Integer.MAX_VALUE, (pieces + wanted - 1) / wanted * PackWriter.PIECE);
        int count = (int) ((nodes + (long) perBucket - 1) / perBucket);
        this.sizes = new long[count];
        for (int i = 0; i < count; i++) {
            files.add(folder.resolve("bucket-" + i));
            buckets.add(new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(files.get(i)), 1 << 16)));
        }
    }

    /** An edge that ends in a node. */
    public void add(int from, int to) throws IOException {
        if (from == to) {
            loops++;
            return;
        }
        int bucket = to / perBucket;
        buckets.get(bucket).writeLong((long) to << 32 | from);
        sizes[bucket]++;
    }

    /** Loops that were dropped. */
    public long loops() {
        return loops;
    }

    /** Different edges with directions, after {@link #writeTo}. */
    public long edges() {
        return edges;
    }

    /** Writes the neighbours of all nodes, in their order. */
    public void writeTo(PackWriter writer) throws IOException {
        for (int b = 0; b < buckets.size(); b++) {
            buckets.get(b).close();
            CrashPoint.pass();
            long[] sorted = sorted(b);
            Files.delete(files.get(b));
            CrashPoint.pass();
            int next = 0;
            int end = (int) Math.min(nodes, (b + 1L) * perBucket);
            for (int from = b * perBucket; from < end; from += PackWriter.PIECE) {
                int count = Math.min(PackWriter.PIECE, end - from);
                int[] pointers = new int[count + 1];
                int first = next;
                for (int i = 0; i < count; i++) {
                    while (next < sorted.length && (int) (sorted[next] >>> 32) == from + i) {
                        next++;
                    }
                    pointers[i + 1] = next - first;
                }
                int[] neighbours = new int[next - first];
                for (int e = 0; e < neighbours.length; e++) {
                    neighbours[e] = (int) sorted[first + e];
                }
                edges += neighbours.length;
                writer.links(new BlockGraph.Links(pointers, neighbours));
            }
        }
    }

    private long[] sorted(int bucket) throws IOException {
        long[] all = new long[Math.toIntExact(sizes[bucket])];
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(Files.newInputStream(files.get(bucket)), 1 << 16))) {
            for (int i = 0; i < all.length; i++) {
                all[i] = in.readLong();
            }
        }
        Arrays.parallelSort(all);
        int kept = 0;
        for (int i = 0; i < all.length; i++) {
            if (i == 0 || all[i] != all[i - 1]) {
                all[kept++] = all[i];
            }
        }
        return Arrays.copyOf(all, kept);
    }

    @Override
    public void close() throws IOException {
        for (int b = 0; b < buckets.size(); b++) {
            buckets.get(b).close();
            Files.deleteIfExists(files.get(b));
        }
    }
}
