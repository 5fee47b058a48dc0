// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import dev.nescio.graph.Fingerprint;
import dev.nescio.graph.Graph;
import dev.nescio.io.file.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;

/** What a store belongs to: everything in a graph that can change a score, and which node has which id. */
final class GraphPrint {

    /** Stores of earlier versions have the fingerprint alone, which knows no ids. */
    private static final String WITH_IDS = "ids:";

    private GraphPrint() {}

    static String of(Graph graph) {
        MessageDigest digest = Sha256.digest();
        digest.update(Fingerprint.of(graph).getBytes(StandardCharsets.US_ASCII));
        for (int v = 0; v < graph.nodes(); v++) {
            digest.update(graph.ids().name(v).getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
        }
        return WITH_IDS + HexFormat.of().formatHex(digest.digest());
    }

    /** Whether a print, of this version or an earlier one, is that of a graph. */
    static boolean isOf(Graph graph, String print) {
        return print.equals(print.startsWith(WITH_IDS) ? of(graph) : Fingerprint.of(graph));
    }
}
