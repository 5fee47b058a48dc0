// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.pack;

import dev.nescio.graph.BlockGraph;
import java.io.IOException;
import java.nio.file.Path;

/** Writes a graph again with its nodes in another order: every piece is read once, and buckets on disk bring rows and links to their places. */
public final class Reordering {

    private final BlockGraph graph;
    private final int[] places;
    private final Path folder;

    private Reordering(BlockGraph graph, int[] places, Path folder) {
        this.graph = graph;
        this.places = places;
        this.folder = folder;
    }

    /**
     * Writes a graph in another order. Nodes that were called by their numbers keep their names.
     *
     * @param places the new number of every node
     * @param folder for buckets, which are gone when this is done
     * @param fingerprint of what the graph was made from; empty where that is not known
     */
    public static void write(BlockGraph graph, int[] places, Path folder, String fingerprint, Path target) {
        Reordering reordering = new Reordering(graph, places, folder);
        PackWriter.write(target, writer -> {
            reordering.rows(writer);
            reordering.links(writer);
            reordering.labels(writer);
            return new PackWriter.Summary(
                    graph.name(),
                    graph.nodes(),
                    graph.features(),
                    graph.edges(),
                    false,
                    graph.classes(),
                    graph.schema(),
                    fingerprint);
        });
    }

    private void rows(PackWriter writer) throws IOException {
        try (RowBuckets buckets = new RowBuckets(folder, graph.nodes(), graph.features())) {
            for (int from = 0; from < graph.nodes(); from += PackWriter.PIECE) {
                int count = Math.min(PackWriter.PIECE, graph.nodes() - from);
                buckets.add(places, from, graph.ids(from, count), graph.features(from, count));
            }
            buckets.writeTo(writer);
        }
    }

    private void links(PackWriter writer) throws IOException {
        try (EdgeBuckets buckets = new EdgeBuckets(folder, graph.nodes(), graph.edges())) {
            for (int from = 0; from < graph.nodes(); from += PackWriter.PIECE) {
                int count = Math.min(PackWriter.PIECE, graph.nodes() - from);
                BlockGraph.Links links = graph.links(from, count);
                for (int i = 0; i < count; i++) {
                    for (int e = links.pointers()[i]; e < links.pointers()[i + 1]; e++) {
                        buckets.add(places[links.neighbours()[e]], places[from + i]);
                    }
                }
            }
            buckets.writeTo(writer);
        }
    }

    private void labels(PackWriter writer) throws IOException {
        if (graph.classes().isEmpty()) {
            return;
        }
        int[] labels = new int[graph.nodes()];
        for (int v = 0; v < labels.length; v++) {
            labels[places[v]] = graph.labels()[v];
        }
        for (int from = 0; from < labels.length; from += PackWriter.PIECE) {
            writer.labels(labels, from, Math.min(PackWriter.PIECE, labels.length - from));
        }
    }
}
