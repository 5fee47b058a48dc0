// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.pack;

import dev.nescio.graph.BlockGraph;
import dev.nescio.graph.TableSchema;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.file.CrashPoint;
import dev.nescio.io.pack.Layout.Piece;
import dev.nescio.io.pack.Layout.Section;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.matrix.SparseMatrix;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes a packed graph piece by piece. Sections may come in any order and mixed, but the pieces of each in the order of the nodes, all
 * of {@link #PIECE} nodes but the last.
 */
public final class PackWriter {

    /** Nodes of a piece. */
    public static final int PIECE = Layout.NODES;

    private final FileChannel channel;
    private final Map<Section, List<Piece>> pieces = new EnumMap<>(Section.class);
    private final Bytes bytes = new Bytes();
    private long position;

    private PackWriter(FileChannel channel) throws IOException {
        this.channel = channel;
        for (Section section : Section.values()) {
            list(section);
        }
        write(ByteBuffer.wrap(Layout.MAGIC));
    }

    /** Writes the content of a packed graph. */
    @FunctionalInterface
    public interface Content {

        /** Writes all pieces and returns what else there is to say. */
        Summary write(PackWriter writer) throws IOException;
    }

    /**
     * What there is to say of a graph besides its nodes.
     *
     * @param edges with directions
     * @param isNumbered whether nodes are called by their numbers, and have no ids
     * @param classes names of the labels
     * @param schema how tables became features; null where there were none
     * @param fingerprint of what it was made from; empty where that is not known
     */
    public record Summary(
            String name,
            int nodes,
            int features,
            long edges,
            boolean isNumbered,
            List<String> classes,
            @Nullable TableSchema schema,
            String fingerprint) {

        /** Refuses what is missing; keeps an unmodifiable copy of the classes. */
        public Summary {
            Objects.requireNonNull(name);
            Objects.requireNonNull(fingerprint);
            classes = List.copyOf(classes);
        }
    }

    /** Writes a file whole or not at all. */
    public static void write(Path file, Content content) {
        AtomicFile.make(file, temporary -> {
            try (FileChannel channel =
                    FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                PackWriter writer = new PackWriter(channel);
                writer.finish(content.write(writer));
                CrashPoint.pass();
                channel.force(true);
            }
        });
    }

    /** Packs any graph that can be read by blocks. */
    public static void write(
            Path file, BlockGraph graph, int[] labels, List<String> classes, @Nullable TableSchema schema) {
        write(file, writer -> {
            for (int from = 0; from < graph.nodes(); from += PIECE) {
                int count = Math.min(PIECE, graph.nodes() - from);
                writer.features(graph.features(from, count));
                writer.links(graph.links(from, count));
                if (!graph.isNumbered()) {
                    writer.ids(graph.ids(from, count));
                }
                if (!classes.isEmpty()) {
                    writer.labels(labels, from, count);
                }
            }
            return new Summary(
                    graph.name(),
                    graph.nodes(),
                    graph.features(),
                    graph.edges(),
                    graph.isNumbered(),
                    classes,
                    schema,
                    "");
        });
    }

    /** The next features; rows with many zeros take less room. */
    public void features(Matrix rows) throws IOException {
        bytes.clear();
        if (rows instanceof DenseMatrix dense) {
            bytes.add(0);
            bytes.addFloats(dense.values(), 0, dense.values().length);
        } else {
            SparseMatrix sparse = (SparseMatrix) rows;
            bytes.add(1);
            for (int i = 0; i < sparse.rows(); i++) {
                int before = 0;
                bytes.addNumber(sparse.pointers()[i + 1] - sparse.pointers()[i]);
                for (int e = sparse.pointers()[i]; e < sparse.pointers()[i + 1]; e++) {
                    bytes.addNumber(sparse.indices()[e] - before);
                    bytes.addFloat(sparse.values()[e]);
                    before = sparse.indices()[e];
                }
            }
        }
        put(Section.FEATURES);
    }

    /** The neighbours of the next nodes, ascending for each, and how many they are. */
    public void links(BlockGraph.Links links) throws IOException {
        int count = links.pointers().length - 1;
        int[] degrees = new int[count];
        bytes.clear();
        for (int i = 0; i < count; i++) {
            degrees[i] = links.pointers()[i + 1] - links.pointers()[i];
            int before = 0;
            for (int e = links.pointers()[i]; e < links.pointers()[i + 1]; e++) {
                bytes.addNumber(links.neighbours()[e] - before);
                before = links.neighbours()[e];
            }
        }
        put(Section.LINKS);
        bytes.clear();
        bytes.addInts(degrees, 0, count);
        put(Section.DEGREES);
    }

    /** The ids of the next nodes. */
    public void ids(List<String> ids) throws IOException {
        bytes.clear();
        for (String id : ids) {
            byte[] text = id.getBytes(StandardCharsets.UTF_8);
            bytes.addNumber(text.length);
            bytes.addAll(text);
        }
        put(Section.IDS);
    }

    /** The labels of the next nodes, -1 where they are not known. */
    public void labels(int[] labels, int from, int count) throws IOException {
        bytes.clear();
        bytes.addInts(labels, from, count);
        put(Section.LABELS);
    }

    /** Features, ids and labels of all nodes of another file, as they are. */
    void copyNodes(PackedGraph from) throws IOException {
        copy(from, Section.FEATURES);
        copy(from, Section.IDS);
        copy(from, Section.LABELS);
    }

    /** Neighbours of all nodes of another file, as they are. */
    void copyLinks(PackedGraph from) throws IOException {
        copy(from, Section.LINKS);
        copy(from, Section.DEGREES);
    }

    private void copy(PackedGraph from, Section section) throws IOException {
        for (int i = 0; i < from.pieces(section); i++) {
            bytes.clear();
            bytes.addAll(from.piece(section, i));
            put(section);
        }
    }

    private List<Piece> list(Section section) {
        return pieces.computeIfAbsent(section, s -> new ArrayList<>());
    }

    private void put(Section section) throws IOException {
        CrashPoint.pass();
        ByteBuffer taken = bytes.taken();
        list(section).add(new Piece(position, taken.remaining(), crc(taken)));
        write(taken);
    }

    static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }

    private void write(ByteBuffer from) throws IOException {
        while (from.hasRemaining()) {
            position += channel.write(from);
        }
    }

    private void finish(Summary summary) throws IOException {
        ByteBuffer table = ByteBuffer.allocate(pieces.values().stream()
                        .mapToInt(list -> Integer.BYTES + list.size() * Layout.PIECE_BYTES)
                        .sum())
                .order(ByteOrder.LITTLE_ENDIAN);
        pieces.values().forEach(list -> {
            table.putInt(list.size());
            list.forEach(piece ->
                    table.putLong(piece.offset()).putInt(piece.length()).putInt(piece.crc()));
        });
        table.flip();
        ByteBuffer text = ByteBuffer.wrap(
                JsonMapper.builder().build().writeValueAsBytes(new Layout.Header(Layout.FORMAT, summary)));
        ByteBuffer trailer = ByteBuffer.allocate(Layout.TRAILER).order(ByteOrder.LITTLE_ENDIAN);
        for (ByteBuffer part : List.of(table, text)) {
            trailer.putLong(position).putInt(part.remaining()).putInt(crc(part));
            write(part);
        }
        write(trailer.put(Layout.MAGIC).flip());
    }
}
