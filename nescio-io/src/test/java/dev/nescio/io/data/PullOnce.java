// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.data;

import dev.nescio.graph.Preprocessing;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/** Pulls one file in a process of its own, which may be killed: address, folder, size, SHA-256. */
final class PullOnce {

    private PullOnce() {}

    static DataSet set(String address, long bytes, String sha256) {
        return new DataSet(
                "small",
                "Small",
                List.of(new DataSet.Version("small.npz", bytes, sha256)),
                URI.create(address),
                new DataSet.Size(3, 4, 2, 2),
                Preprocessing.NONE,
                true,
                null,
                "");
    }

    public static void main(String[] args) {
        new Download((done, total) -> {})
                .pull(set(args[0], Long.parseLong(args[2]), args[3]), new DataFolder(Path.of(args[1])));
    }
}
