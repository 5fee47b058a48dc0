// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.flag;

import dev.nescio.detector.KnownNodes;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.io.file.Utf8;
import dev.nescio.problem.BadInput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Some nodes of a graph, by a file of their ids. */
public final class ChosenNodes {

    public static final String NEW = "new";

    private ChosenNodes() {}

    /** @param choice a file with one id per line, or {@code new} for all nodes that a detector does not know */
    public static NodeSet of(String choice, Graph graph, KnownNodes known) {
        NodeSet chosen = choice.equals(NEW) ? known.newIn(graph) : listed(choice, graph);
        if (chosen.isEmpty()) {
            throw new BadInput(
                    choice.equals(NEW)
                            ? graph.name() + " has no new nodes: all of them were known at training time"
                            : choice + " names no nodes");
        }
        return chosen;
    }

    private static NodeSet listed(String choice, Graph graph) {
        Path file = PathName.of(choice);
        if (!Files.exists(file) || Files.isDirectory(file)) {
            throw new BadInput(file + " does not exist or is not a file");
        }
        List<String> ids = Utf8.lines(file);
        int[] nodes = new int[ids.size()];
        for (int i = 0; i < nodes.length; i++) {
            String id = ids.get(i);
            int line = i + 1;
            nodes[i] = graph.ids()
                    .find(id)
                    .orElseThrow(() ->
                            new BadInput(file + ", line " + line + ": '" + id + "' is not a node of " + graph.name()));
        }
        return NodeSet.of(nodes);
    }
}
