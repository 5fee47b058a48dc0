// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.model.Forward;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an estimator may look at. Only the states are always there: embeddings of a model that was trained elsewhere are
 * enough for JLDE.
 *
 * @param states hidden states, each [nodes, its width]
 * @param logits [nodes, classes]
 * @param graph the graph that the states were computed on
 * @param training nodes whose labels the network has learned from
 * @param withoutEdges the same nodes seen by the same network on the same graph without any edge
 * @param samples further opinions about the same nodes, by where they come from
 * @param concentrations logarithms of the concentrations of a Dirichlet distribution per node, [nodes, classes]
 * @param places of nodes that an estimator has learned from among all of these, -1 for others: such a node is not compared with
 *     itself; empty where there are none
 * @param population all nodes of the graph, where the states are those of some of them alone; null where they are those of all
 */
public record Evidence(
        List<DenseMatrix> states,
        @Nullable DenseMatrix logits,
        @Nullable Graph graph,
        NodeSet training,
        @Nullable Evidence withoutEdges,
        Map<Need, Samples> samples,
        @Nullable DenseMatrix concentrations,
        int[] places,
        @Nullable Population population) {

    private static final int[] NOBODY = {};

    /**
     * Refuses evidence without states, and states that are not finite or have no columns. Also refuses parts with different
     * numbers of nodes.
     */
    public Evidence {
        states = List.copyOf(states);
        samples = Map.copyOf(samples);
        if (states.isEmpty()) {
            throw new BadInput("there are no hidden states");
        }
        int nodes = states.get(0).rows();
        for (int i = 0; i < states.size(); i++) {
            if (states.get(i).rows() != nodes) {
                throw new BadInput("state 0 has " + nodes + " rows, state " + i + " has "
                        + states.get(i).rows());
            }
            if (states.get(i).columns() == 0) {
                throw new BadInput("state " + i + " has no columns");
            }
            // What is not here yet is looked at by whoever reads it.
            boolean isHere = states.get(i).source() == null;
            Matrix.Entry entry = isHere ? states.get(i).firstNotFinite() : null;
            if (entry != null) {
                throw new BadInput("state " + i + " is " + entry.value() + " at node " + entry.row() + ", column "
                        + entry.column() + ", but states must be finite");
            }
        }
        if (logits != null && logits.columns() == 0) {
            throw new BadInput("the logits have no columns");
        }
        if (logits != null && logits.rows() != nodes) {
            throw new BadInput("the states have " + nodes + " rows, the logits " + logits.rows());
        }
        if (training.bound() > nodes) {
            throw new BadInput(
                    "training node " + (training.bound() - 1) + " is not there: the states have " + nodes + " rows");
        }
        if (places.length > 0 && places.length != nodes) {
            throw new BadInput("the states have " + nodes + " rows, the places " + places.length);
        }
    }

    /**
     * What one forward pass says about the nodes of a graph; {@code training} are nodes that the network learned from.
     *
     * <pre>{@code
     * Evidence evidence = Evidence.of(model.forward(graph), graph, split.train());
     * double[] scores = Estimators.parse("ebm").fit(evidence).score(evidence);
     * }</pre>
     */
    public static Evidence of(Forward forward, Graph graph, NodeSet training) {
        return new Evidence(
                forward.matrices(),
                forward.logits(),
                graph,
                training,
                null,
                Map.of(),
                forward.concentrations(),
                NOBODY,
                null);
    }

    /**
     * Hidden states alone, each [nodes, its width], of a network that was trained anywhere.
     *
     * <pre>{@code
     * Evidence evidence = Evidence.of(List.of(firstLayer, secondLayer), NodeSet.of(0, 1, 2)).withLogits(logits);
     * double[] scores = Estimators.parse("jlde:k=2").fit(evidence).score(evidence);
     * }</pre>
     */
    public static Evidence of(List<DenseMatrix> states, NodeSet training) {
        return new Evidence(states, null, null, training, null, Map.of(), null, NOBODY, null);
    }

    /** The same evidence and what the network says without edges. */
    public Evidence withoutEdges(Forward forward) {
        Evidence alone = Evidence.of(forward.matrices(), training).withLogits(forward.logits());
        return new Evidence(states, logits, graph, training, alone, samples, concentrations, places, population);
    }

    /** The same evidence with other states of the same nodes. */
    public Evidence withStates(List<DenseMatrix> newStates) {
        return new Evidence(
                newStates, logits, graph, training, withoutEdges, samples, concentrations, places, population);
    }

    /** The same evidence with logits. */
    public Evidence withLogits(DenseMatrix newLogits) {
        return new Evidence(
                states, newLogits, graph, training, withoutEdges, samples, concentrations, places, population);
    }

    /** The same evidence of a network that has learned from these nodes. */
    public Evidence learnedFrom(NodeSet nodes) {
        return new Evidence(states, logits, graph, nodes, withoutEdges, samples, concentrations, places, population);
    }

    /** The same evidence on a graph. */
    public Evidence on(Graph newGraph) {
        return new Evidence(
                states, logits, newGraph, training, withoutEdges, samples, concentrations, places, population);
    }

    /** The same evidence and further opinions. */
    public Evidence withSamples(Need source, Samples more) {
        Map<Need, Samples> all = new HashMap<>(samples);
        all.put(source, more);
        return new Evidence(states, logits, graph, training, withoutEdges, all, concentrations, places, population);
    }

    /** The same evidence where some nodes have taught the estimator, by their places among those that did. */
    public Evidence placed(int[] newPlaces) {
        return new Evidence(
                states, logits, graph, training, withoutEdges, samples, concentrations, newPlaces, population);
    }

    /** The same evidence of some nodes out of many; estimators may ask for what all of them are like. */
    public Evidence outOf(Population all) {
        return new Evidence(states, logits, graph, training, withoutEdges, samples, concentrations, places, all);
    }

    /** The last hidden state, [nodes, its width]. */
    public DenseMatrix lastState() {
        return states.get(states.size() - 1);
    }

    /** The labels of the training nodes, all of them known. */
    public int[] requireTrainingLabels(String estimator, int classes) {
        Graph labelled = requireGraph(estimator);
        int[] labels = training.stream().map(labelled::label).toArray();
        for (int i = 0; i < labels.length; i++) {
            if (labels[i] < 0 || labels[i] >= classes) {
                throw new BadInput(estimator + " needs the labels of all training nodes, but training node "
                        + training.toArray()[i] + " has none of the " + classes + " classes");
            }
        }
        return labels;
    }

    /** The logits, [nodes, classes]; refuses where there are none, in the name of the estimator. */
    public DenseMatrix requireLogits(String estimator) {
        return require(logits, estimator, "logits");
    }

    /** The graph that the states were computed on; refuses where there is none, in the name of the estimator. */
    public Graph requireGraph(String estimator) {
        return require(graph, estimator, "a graph");
    }

    /** What the network says about the same nodes without edges; refuses where nobody asked it. */
    public Evidence requireWithoutEdges(String estimator) {
        return require(withoutEdges, estimator, Need.FORWARD_WITHOUT_EDGES.text());
    }

    /**
     * The samples of one source; refuses where there are none.
     *
     * @param source {@link Need#RANDOM_PASSES} or {@link Need#ENSEMBLE}
     */
    public Samples requireSamples(String estimator, Need source) {
        return require(samples.get(source), estimator, source.text());
    }

    /** The logarithms of the Dirichlet concentrations, [nodes, classes]; refuses where the network is not evidential. */
    public DenseMatrix requireConcentrations(String estimator) {
        return require(concentrations, estimator, Need.CONCENTRATIONS.text());
    }

    private static <T> T require(@Nullable T part, String estimator, String what) {
        if (part == null) {
            throw new BadConfiguration(estimator + " needs " + what);
        }
        return part;
    }

    /** The number of nodes, which is the number of rows of every state. */
    public int nodes() {
        return states.get(0).rows();
    }
}
