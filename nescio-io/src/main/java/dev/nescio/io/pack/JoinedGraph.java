// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.pack;

import dev.nescio.graph.BlockGraph;
import dev.nescio.graph.TableSchema;
import dev.nescio.matrix.Matrix;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The nodes of one file with the links of another. */
public final class JoinedGraph implements BlockGraph {

    private final PackedGraph nodes;
    private final PackedGraph links;

    /**
     * @param nodes with ids, features and labels
     * @param links of as many nodes, with the schema of both tables
     */
    public JoinedGraph(PackedGraph nodes, PackedGraph links) {
        this.nodes = nodes;
        this.links = links;
    }

    /** Writes both as one file, piece by piece as they are. */
    public void write(String fingerprint, Path target) {
        PackWriter.write(target, writer -> {
            writer.copyNodes(nodes);
            writer.copyLinks(links);
            return new PackWriter.Summary(
                    name(), nodes(), features(), edges(), isNumbered(), classes(), schema(), fingerprint);
        });
    }

    @Override
    public String name() {
        return nodes.name();
    }

    @Override
    public int nodes() {
        return nodes.nodes();
    }

    @Override
    public int features() {
        return nodes.features();
    }

    @Override
    public int[] degrees() {
        return links.degrees();
    }

    @Override
    public Links links(int from, int count) {
        return links.links(from, count);
    }

    @Override
    public Matrix features(int from, int count) {
        return nodes.features(from, count);
    }

    @Override
    public List<String> ids(int from, int count) {
        return nodes.ids(from, count);
    }

    @Override
    public boolean isNumbered() {
        return nodes.isNumbered();
    }

    @Override
    public int[] labels() {
        return nodes.labels();
    }

    @Override
    public List<String> classes() {
        return nodes.classes();
    }

    @Override
    public @Nullable TableSchema schema() {
        return links.schema();
    }
}
