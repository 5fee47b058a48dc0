// SPDX-License-Identifier: Apache-2.0
package dev.nescio.example;

import dev.nescio.detector.Detector;
import dev.nescio.detector.NodeResult;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Growth;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.io.graph.TableGraph;
import java.nio.file.Path;
import java.util.Map;

/** Trains once, saves, and scores a node that arrives later: only its surroundings are computed. */
public final class ScoreNewNodes {

    private ScoreNewNodes() {}

    public static void main(String[] args) {
        Graph graph = TableGraph.read(Path.of(args[0]), Path.of(args[1]));
        DetectorFile.write(Detector.train(graph), Path.of(args[2]));

        Detector detector = DetectorFile.read(Path.of(args[2]));
        // Columns by their names, as they would stand in the table; those that are not given are missing.
        Graph today = new Growth(graph)
                .node("new", Map.of("f0", 0.7, "f1", -0.2))
                .edge("new", graph.ids().name(0))
                .edge("new", graph.ids().name(1))
                .build();
        NodeResult result = detector.score(today, "new");
        System.out.println("new: predicted " + result.predicted() + ", p-value " + result.pValue());
    }
}
