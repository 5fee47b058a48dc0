// SPDX-License-Identifier: Apache-2.0
package dev.nescio.example;

import dev.nescio.detector.Detector;
import dev.nescio.detector.Scores;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Growth;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.io.graph.TableGraph;
import java.nio.file.Path;

/** Trains once, saves, and scores a node that arrives later: only its surroundings are computed. */
public final class ScoreNewNodes {

    private ScoreNewNodes() {}

    public static void main(String[] args) {
        Graph graph = TableGraph.read(Path.of(args[0]), Path.of(args[1]));
        DetectorFile.write(Detector.train(graph), Path.of(args[2]));

        Detector detector = DetectorFile.read(Path.of(args[2]));
        float[] features = new float[graph.features().columns()];
        Growth growth = new Growth(graph)
                .node("new", features)
                .edge("new", graph.ids().name(0))
                .edge("new", graph.ids().name(1));
        Scores scores = detector.score(growth.build(), growth.nodes());
        System.out.println("new: predicted " + scores.predicted(0) + ", p-value " + scores.pValues()[0]);
    }
}
