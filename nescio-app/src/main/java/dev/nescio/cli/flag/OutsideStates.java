// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.flag;

import dev.nescio.detector.EmbeddingDetector;
import dev.nescio.detector.NodeExplanation;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.io.detector.EmbeddingDetectorFile;
import dev.nescio.io.detector.StateSource;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.surprise.Surprises;
import dev.nescio.uncertainty.Evidence;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A detector for states of another network, and the states to look at: given as files, or made by the network inside it.
 *
 * @param graph that the states were made on; null where they were given
 * @param surprises that made them; null where another network did
 */
public record OutsideStates(
        EmbeddingDetector detector,
        Evidence evidence,
        NodeIds ids,
        @Nullable Graph graph,
        @Nullable Surprises surprises) {

    /** Why a node has its score. */
    public NodeExplanation explain(int node) {
        return surprises != null && graph != null
                ? NodeExplanation.of(detector, surprises, graph, node)
                : NodeExplanation.of(detector, evidence, ids, node);
    }

    /** States from files. */
    public static OutsideStates given(Path model, StatesFlags states) {
        Evidence evidence = states.evidence();
        return new OutsideStates(
                EmbeddingDetectorFile.read(model).detector(), evidence, states.nodeIds(evidence.nodes()), null, null);
    }

    /** States of a graph. */
    public static OutsideStates made(Path model, String source, GraphFlags graphs, CommonFlags common) {
        EmbeddingDetectorFile.Saved saved = EmbeddingDetectorFile.read(model);
        byte[] onnx = saved.onnx();
        Surprises surprises = saved.surprises();
        if (onnx == null && surprises == null) {
            throw new BadConfiguration(model + " was fitted on external hidden states; name them with --states");
        }
        Graph graph = graphs.readLike(source, saved.schema(), common);
        Evidence evidence = surprises != null
                ? surprises.of(graph)
                : StateSource.of("onnx").run(Objects.requireNonNull(onnx), model.toString(), graph);
        return new OutsideStates(saved.detector(), evidence, graph.ids(), graph, surprises);
    }
}
