// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import dev.nescio.cli.flag.CommonFlags;
import dev.nescio.cli.flag.GraphFlags;
import dev.nescio.cli.flag.PathName;
import dev.nescio.graph.TableSchema;
import dev.nescio.io.file.WorkFolder;
import dev.nescio.io.graph.PackedLocation;
import dev.nescio.io.pack.NodeOrder;
import dev.nescio.io.pack.PackedGraph;
import dev.nescio.problem.BadInput;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A graph that is read block by block: one that was packed before, or any other, which is packed for the time of a command. */
final class Packed {

    private Packed() {}

    /**
     * Opens a graph with a folder for files, which is gone afterwards.
     *
     * @param schema what the columns meant when a detector was trained; null to learn it
     * @param beside what the folder lies beside
     */
    static void with(
            GraphFlags graphs,
            String place,
            @Nullable TableSchema schema,
            Path beside,
            CommonFlags common,
            BiConsumer<PackedGraph, Path> use) {
        try (WorkFolder folder = WorkFolder.beside(beside)) {
            Path packed;
            if (PackedLocation.isNamed(place)) {
                packed = PathName.of(place);
            } else {
                packed = folder.path().resolve("graph" + PackedLocation.ENDING);
                graphs.pack(place, schema, NodeOrder.TABLE, packed, common);
            }
            try (PackedGraph graph = PackedGraph.open(packed)) {
                PackedLocation.requireSame(graph, schema, packed.toString());
                use.accept(graph, folder.path());
            }
        } catch (UncheckedIOException e) {
            throw new BadInput(
                    "files beside " + beside + " cannot be written: "
                            + Objects.requireNonNull(e.getCause()).getMessage(),
                    e);
        }
    }
}
