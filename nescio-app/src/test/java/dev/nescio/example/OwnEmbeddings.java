// SPDX-License-Identifier: Apache-2.0
package dev.nescio.example;

import dev.nescio.detector.EmbeddingDetector;
import dev.nescio.detector.Scores;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.NodeSet;
import dev.nescio.io.array.ArrayFile;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.progress.Progress;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.estimator.Estimators;
import java.util.Arrays;
import java.util.List;

/** JLDE on hidden states of a network that was trained elsewhere. */
public final class OwnEmbeddings {

    private OwnEmbeddings() {}

    public static void main(String[] args) {
        List<DenseMatrix> states = ArrayFile.matrices(List.of(args[0], args[1]));
        int nodes = states.get(0).rows();
        NodeSet training = ArrayFile.nodes(args[2], nodes);
        NodeSet heldOut = ArrayFile.nodes(args[3], nodes);
        int[] unknown = new int[nodes];
        Arrays.fill(unknown, -1);

        Evidence evidence = Evidence.of(states, training);
        EmbeddingDetector detector = EmbeddingDetector.fit(
                new EmbeddingDetector.Data(evidence, heldOut, unknown, NodeIds.numbered(nodes), "my network"),
                List.of(Estimators.parse("jlde:k=10")),
                List.of());
        Scores scores = detector.score(evidence, NodeIds.numbered(nodes), Progress.NONE);
        System.out.println(scores.flagged(0.05).size() + " of " + nodes + " nodes are flagged");
    }
}
