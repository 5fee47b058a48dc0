// SPDX-License-Identifier: Apache-2.0
package dev.nescio.example;

import dev.nescio.detector.Detector;
import dev.nescio.detector.Scores;
import dev.nescio.graph.Graph;
import dev.nescio.io.graph.TableGraph;
import java.nio.file.Path;

/** From two tables to flagged nodes. */
public final class FlagUnusualNodes {

    private FlagUnusualNodes() {}

    public static void main(String[] args) {
        Graph graph = TableGraph.read(Path.of(args[0]), Path.of(args[1]));
        Detector detector = Detector.train(graph);
        Scores scores = detector.score(graph);
        scores.flagged(0.05).stream()
                .forEach(node -> System.out.println(graph.ids().name(node) + " " + scores.epistemic()[node]));
    }
}
