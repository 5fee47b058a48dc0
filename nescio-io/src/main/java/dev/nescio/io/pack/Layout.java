// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.pack;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * How a packed graph lies in its file: eight letters, then pieces of 4,096 nodes each in any order, then a table of the pieces, then a
 * text, then where both are. Every piece, the table and the text have a checksum.
 */
final class Layout {

    static final byte[] MAGIC = "NESCPACK".getBytes(StandardCharsets.US_ASCII);
    static final int FORMAT = 1;
    /** Nodes of a piece. */
    static final int NODES = 4096;
    /** Where the table and the text are, and their checksums, at the end of the file. */
    static final int TRAILER = 2 * (Long.BYTES + 2 * Integer.BYTES) + 8;

    static final int PIECE_BYTES = Long.BYTES + 2 * Integer.BYTES;

    private Layout() {}

    /** What there is of every node. */
    enum Section {
        DEGREES,
        LABELS,
        FEATURES,
        LINKS,
        IDS
    }

    /**
     * A part of the file.
     *
     * @param crc CRC-32C
     */
    record Piece(long offset, int length, int crc) {}

    /**
     * The text.
     *
     * @param format of the file
     */
    record Header(int format, PackWriter.Summary graph) {

        Header {
            Objects.requireNonNull(graph);
        }
    }
}
