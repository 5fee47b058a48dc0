// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.pack;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.BlockGraph;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.TableSchema;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.pack.Layout.Piece;
import dev.nescio.io.pack.Layout.Section;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.problem.BadInput;
import java.io.Closeable;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A graph in one compressed file ({@code .npk}), read by blocks of nodes. Every piece is checked when it is read; a damaged file is
 * refused. Degrees and labels are kept in memory, everything else is read when it is asked for. One reader at a time.
 *
 * <pre>{@code
 * try (PackedGraph graph = PackedGraph.open(Path.of("graph.npk"))) {
 *     BlockGraph.Links links = graph.links(0, 1000);
 * }
 * }</pre>
 */
public final class PackedGraph implements BlockGraph, Closeable {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /** Numbers of an array. */
    private static final int MOST = Integer.MAX_VALUE - 8;

    private final Path file;
    private final FileChannel channel;
    private final PackWriter.Summary header;
    private final Map<Section, List<Piece>> pieces;
    private final int[] degrees;
    private final int[] labels;

    private PackedGraph(Path file, FileChannel channel) throws IOException {
        this.file = file;
        this.channel = channel;
        long size = channel.size();
        if (size < Layout.MAGIC.length + Layout.TRAILER) {
            throw damaged("it has " + size + " bytes");
        }
        ByteBuffer trailer = read(size - Layout.TRAILER, Layout.TRAILER);
        ByteBuffer magic = ByteBuffer.wrap(Layout.MAGIC);
        if (!read(0, magic.capacity()).equals(magic)
                || !trailer.slice(Layout.TRAILER - magic.capacity(), magic.capacity())
                        .equals(magic)) {
            throw damaged("it does not begin and end as such a file does");
        }
        ByteBuffer table = read(new Piece(trailer.getLong(), trailer.getInt(), trailer.getInt()));
        this.header = header(read(new Piece(trailer.getLong(), trailer.getInt(), trailer.getInt())));
        this.pieces = pieces(table);
        requireRoom(size);
        this.degrees = ints(Section.DEGREES);
        this.labels = header.classes().isEmpty() ? unlabelled() : ints(Section.LABELS);
        if (Arrays.stream(degrees).anyMatch(degree -> degree < 0)
                || edges() != header.edges()
                || Arrays.stream(labels)
                        .anyMatch(label -> label < -1
                                || label >= Math.max(0, header.classes().size()))) {
            throw damaged("it holds degrees or labels that cannot be");
        }
        requireLinks();
    }

    /** What a file claims to hold has to fit into it, before room is made for it. */
    private void requireRoom(long size) {
        long all = 0;
        for (Map.Entry<Section, List<Piece>> section : pieces.entrySet()) {
            int first = 0;
            for (Piece piece : section.getValue()) {
                long fewest = fewestBytes(section.getKey(), Math.min(Layout.NODES, header.nodes() - first));
                if (piece.length() < fewest) {
                    throw damaged("a piece of " + section.getKey() + " has " + piece.length()
                            + " bytes, expected at least " + fewest);
                }
                all += piece.length();
                first += Layout.NODES;
            }
        }
        if (all > size) {
            throw damaged("its pieces are longer than the whole");
        }
    }

    private static long fewestBytes(Section section, int nodes) {
        return switch (section) {
            case DEGREES, LABELS -> (long) nodes * Integer.BYTES;
            case IDS -> nodes;
            case FEATURES -> 1;
            case LINKS -> 0;
        };
    }

    /** Every neighbour takes a byte or more. */
    private void requireLinks() {
        List<Piece> links = pieces.getOrDefault(Section.LINKS, List.of());
        for (int i = 0; i < links.size(); i++) {
            long neighbours = 0;
            int from = i * Layout.NODES;
            for (int v = from; v < Math.min(degrees.length, from + Layout.NODES); v++) {
                neighbours += degrees[v];
            }
            if (neighbours > links.get(i).length()) {
                throw damaged("it has more neighbours than bytes for them");
            }
        }
    }

    private int[] unlabelled() {
        int[] none = new int[header.nodes()];
        Arrays.fill(none, Graph.UNLABELLED);
        return none;
    }

    /** Opens a file; refuses one that is damaged, or from a newer version. */
    public static PackedGraph open(Path file) {
        FileChannel channel = null;
        try {
            channel = FileChannel.open(file, StandardOpenOption.READ);
            PackedGraph graph = new PackedGraph(file, channel);
            channel = null;
            return graph;
        } catch (IOException e) {
            throw new BadInput(file + " cannot be read: " + AtomicFile.reason(e), e);
        } finally {
            closeQuietly(channel);
        }
    }

    private static void closeQuietly(@Nullable FileChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private BadInput damaged(String how) {
        return new BadInput(file + " is not a packed graph or is damaged: " + how);
    }

    private PackWriter.Summary header(ByteBuffer text) {
        byte[] bytes = new byte[text.remaining()];
        text.get(bytes);
        try {
            Layout.Header whole = JSON.readValue(bytes, Layout.Header.class);
            if (whole.format() != Layout.FORMAT) {
                throw new BadInput(
                        file + " has format " + whole.format() + "; this version reads format " + Layout.FORMAT);
            }
            PackWriter.Summary read = whole.graph();
            if (read.nodes() < 1 || read.features() < 0) {
                throw damaged("it says that it has " + read.nodes() + " nodes and " + read.features() + " features");
            }
            return read;
        } catch (JacksonException e) {
            throw new BadInput(file + " is not a packed graph of this version or is damaged", e);
        }
    }

    private Map<Section, List<Piece>> pieces(ByteBuffer table) {
        Map<Section, List<Piece>> all = new EnumMap<>(Section.class);
        int expected = (header.nodes() + Layout.NODES - 1) / Layout.NODES;
        try {
            for (Section section : Section.values()) {
                boolean isThere =
                        switch (section) {
                            case LABELS -> !header.classes().isEmpty();
                            case IDS -> !header.isNumbered();
                            case DEGREES, FEATURES, LINKS -> true;
                        };
                int count = table.getInt();
                if (count != (isThere ? expected : 0)) {
                    throw damaged("it has " + count + " pieces of " + section);
                }
                List<Piece> list = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    list.add(new Piece(table.getLong(), table.getInt(), table.getInt()));
                }
                all.put(section, list);
            }
        } catch (BufferUnderflowException e) {
            throw new BadInput(file + " is not a packed graph or is damaged: its table ends too early", e);
        }
        return all;
    }

    int pieces(Section section) {
        return pieces.getOrDefault(section, List.of()).size();
    }

    /** The bytes of a piece, checked. */
    byte[] piece(Section section, int number) {
        return read(pieces.getOrDefault(section, List.of()).get(number)).array();
    }

    private ByteBuffer read(Piece piece) {
        ByteBuffer bytes = read(piece.offset(), piece.length());
        if (PackWriter.crc(bytes) != piece.crc()) {
            throw damaged("a checksum is wrong at byte " + piece.offset());
        }
        return bytes;
    }

    private ByteBuffer read(long offset, int length) {
        try {
            if (offset < 0 || length < 0 || offset > channel.size() - length) {
                throw damaged("a piece lies outside of it");
            }
            ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
            while (bytes.hasRemaining()) {
                if (channel.read(bytes, offset + bytes.position()) < 0) {
                    throw damaged("it ends too early");
                }
            }
            return bytes.flip();
        } catch (IOException e) {
            throw new BadInput(file + " cannot be read: " + AtomicFile.reason(e), e);
        }
    }

    private int[] ints(Section section) {
        int[] values = new int[header.nodes()];
        List<Piece> list = pieces.getOrDefault(section, List.of());
        for (int i = 0; i < list.size(); i++) {
            int from = i * Layout.NODES;
            int count = Math.min(Layout.NODES, values.length - from);
            ByteBuffer piece = read(list.get(i));
            if (piece.remaining() != count * Integer.BYTES) {
                throw damaged("a piece of " + section + " has another length");
            }
            piece.asIntBuffer().get(values, from, count);
        }
        return values;
    }

    /** Reads the pieces that some nodes lie in. */
    private interface Reader {
        /**
         * @param first node of the piece
         * @param skipped nodes of it that nobody wants
         * @param count nodes of it that somebody wants
         */
        void read(ByteBuffer piece, int first, int skipped, int count);
    }

    private void each(Section section, int from, int count, Reader reader) {
        try {
            for (int at = from; at < from + count; ) {
                int number = at / Layout.NODES;
                int first = number * Layout.NODES;
                int taken = Math.min(from + count, first + Layout.NODES) - at;
                reader.read(read(pieces.getOrDefault(section, List.of()).get(number)), first, at - first, taken);
                at += taken;
            }
        } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new BadInput(file + " is damaged: its " + section + " cannot be read", e);
        }
    }

    @Override
    public String name() {
        return header.name();
    }

    @Override
    public int nodes() {
        return header.nodes();
    }

    @Override
    public int features() {
        return header.features();
    }

    @Override
    public int[] degrees() {
        return degrees;
    }

    @Override
    public boolean isNumbered() {
        return header.isNumbered();
    }

    @Override
    public List<String> classes() {
        return header.classes();
    }

    @Override
    public int[] labels() {
        return labels;
    }

    @Override
    public @Nullable TableSchema schema() {
        return header.schema();
    }

    /** Of what it was made from; empty where that is not known. */
    public String fingerprint() {
        return header.fingerprint();
    }

    @Override
    public Links links(int from, int count) {
        int[] pointers = new int[count + 1];
        for (int i = 0; i < count; i++) {
            requireFew((long) pointers[i] + degrees[from + i], "neighbours of " + count + " nodes");
            pointers[i + 1] = pointers[i] + degrees[from + i];
        }
        int[] neighbours = new int[pointers[count]];
        int[] next = {0};
        each(Section.LINKS, from, count, (piece, first, skipped, taken) -> {
            for (int v = first; v < first + skipped + taken; v++) {
                boolean isWanted = v >= first + skipped;
                int before = 0;
                for (int e = 0; e < degrees[v]; e++) {
                    before += Bytes.number(piece);
                    if (isWanted) {
                        if (before < 0 || before >= header.nodes()) {
                            throw damaged("node " + v + " has a neighbour that is not there");
                        }
                        neighbours[next[0]++] = before;
                    }
                }
            }
        });
        return new Links(pointers, neighbours);
    }

    @Override
    public Matrix features(int from, int count) {
        int columns = header.features();
        requireFew((long) count * columns, "features of " + count + " nodes");
        float[] values = new float[count * columns];
        boolean[] isSparse = {true};
        each(Section.FEATURES, from, count, (piece, first, skipped, taken) -> {
            int at = (first + skipped - from) * columns;
            if (piece.get() == 0) {
                isSparse[0] = false;
                requireLength(piece, (long) Math.min(Layout.NODES, header.nodes() - first) * columns * Float.BYTES);
                ByteBuffer floats = piece.slice().order(ByteOrder.LITTLE_ENDIAN);
                floats.position(skipped * columns * Float.BYTES);
                floats.slice().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values, at, taken * columns);
            } else {
                sparse(piece, skipped, taken, values, at);
            }
        });
        DenseMatrix rows = DenseMatrix.of(count, columns, values);
        if (rows.firstNotFinite() != null) {
            throw damaged("node " + (from + rows.firstNotFinite().row()) + " has a feature that is not finite");
        }
        return isSparse[0] && count > 0 ? rows.toSparse() : rows;
    }

    private void requireFew(long numbers, String what) {
        if (numbers > MOST) {
            throw new BadInput(file + ": the " + what + " are " + numbers + " numbers; the limit is " + MOST);
        }
    }

    private void requireLength(ByteBuffer piece, long bytes) {
        if (piece.remaining() != bytes) {
            throw damaged("a piece of features has " + piece.remaining() + " bytes, expected " + bytes);
        }
    }

    private void sparse(ByteBuffer piece, int skipped, int taken, float[] values, int at) {
        int columns = header.features();
        for (int i = 0; i < skipped + taken; i++) {
            int column = 0;
            for (int left = Bytes.number(piece); left > 0; left--) {
                column += Bytes.number(piece);
                float value = piece.getFloat();
                if (i >= skipped) {
                    if (column < 0 || column >= columns) {
                        throw damaged("a feature has the number " + column);
                    }
                    values[at + (i - skipped) * columns + column] = value;
                }
            }
        }
    }

    @Override
    public List<String> ids(int from, int count) {
        List<String> ids = new ArrayList<>(count);
        if (header.isNumbered()) {
            for (int v = from; v < from + count; v++) {
                ids.add(Integer.toString(v));
            }
            return ids;
        }
        each(Section.IDS, from, count, (piece, first, skipped, taken) -> {
            for (int i = 0; i < skipped + taken; i++) {
                int length = Bytes.number(piece);
                ByteBuffer text = piece.slice(piece.position(), length);
                piece.position(piece.position() + length);
                if (i >= skipped) {
                    ids.add(decoded(text));
                }
            }
        });
        return ids;
    }

    private String decoded(ByteBuffer text) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(text).toString();
        } catch (CharacterCodingException e) {
            throw new BadInput(file + " is damaged: an id is not UTF-8", e);
        }
    }

    /** The whole graph in memory, where it fits. */
    public Graph toGraph() {
        if (edges() > MOST || (long) nodes() * features() > MOST) {
            throw new BadInput(
                    file + " has " + nodes() + " nodes, " + edges() + " edges with directions and " + features()
                            + " features: too many for memory as a whole; 'nescio score --memory' reads it block by block");
        }
        Links links = links(0, nodes());
        int[] to = new int[links.neighbours().length];
        for (int v = 0; v < nodes(); v++) {
            Arrays.fill(to, links.pointers()[v], links.pointers()[v + 1], v);
        }
        Graph.Builder builder = Graph.builder(
                        name(),
                        Adjacency.directed(nodes(), links.neighbours(), to).adjacency())
                .features(features(0, nodes()))
                .ids(isNumbered() ? NodeIds.numbered(nodes()) : NodeIds.named(ids(0, nodes())));
        if (!classes().isEmpty()) {
            builder.labels(labels.clone(), classes());
        }
        TableSchema schema = schema();
        if (schema != null) {
            builder.schema(schema);
        }
        return builder.build();
    }

    @Override
    public void close() {
        closeQuietly(channel);
    }
}
