// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import dev.nescio.graph.BlockGraph;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.model.training.Trainer;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.random.Seed;
import dev.nescio.shift.LeaveOutClasses;
import dev.nescio.uncertainty.Temperature;
import java.util.Arrays;

/**
 * Graph and split as training sees them: features prepared, classes left out, some validation nodes held out. Built once, for
 * training, fitting and calibration alike.
 *
 * @param raw the graph as it was given
 * @param graph prepared
 * @param split without left-out and held-out nodes
 * @param heldOut validation nodes that tell what is ordinary; all of them where none were held out
 */
public record TrainingView(Graph raw, Graph graph, Split split, NodeSet heldOut) {

    /** Refuses what could not be trained. */
    public static TrainingView of(Graph raw, Split split, DetectorOptions options) {
        options.architecture().require(options.model());
        Graph graph = options.preprocessing().apply(raw);
        TrainingView view = holdingOut(raw, graph, split, options);
        if (!options.leftOut().isEmpty()) {
            LeaveOutClasses shift = new LeaveOutClasses(graph, options.leftOut());
            view = holdingOut(raw, shift.graph(), shift.split(split), options);
            if (options.detector().get(DetectorOptions.DROP_LEFT_OUT)) {
                view = view.only(NodeSet.where(graph.nodes(), v -> !shift.isLeftOut(v)));
            }
        }
        view.require(options);
        return view;
    }

    /**
     * The same of a graph that is read block by block: nodes and labels alone, so that {@link #graph} has neither edges nor features.
     * Refuses to drop left-out nodes, which would need another graph.
     */
    static TrainingView of(BlockGraph blocks, Split split, DetectorOptions options) {
        options.architecture().require(options.model());
        if (options.detector().get(DetectorOptions.DROP_LEFT_OUT)) {
            throw new BadConfiguration("left-out nodes cannot be dropped from a graph that is read block by block");
        }
        Graph nodes = blocks.nodesAlone();
        if (options.leftOut().isEmpty()) {
            return holdingOut(nodes, nodes, split, options);
        }
        LeaveOutClasses shift = new LeaveOutClasses(nodes, options.leftOut());
        return holdingOut(nodes, shift.graph(), shift.split(split), options);
    }

    /** Refuses a network or estimators that could not be trained on this. */
    public void require(DetectorOptions options) {
        Trainer.requireTrainable(graph, split, options.model());
        options.requireEstimators(split.train().size());
    }

    /**
     * The nodes that a temperature may be fitted on: labelled ones that chose nothing, or all validation nodes where the user
     * insists; none for no temperature.
     */
    NodeSet temperatureNodes(Temperature.Fitting fitting) {
        boolean areFree = !heldOut.intersects(split.validation());
        NodeSet labelled = heldOut.filter(v -> graph.label(v) >= 0);
        return switch (fitting) {
            case AUTO -> areFree && labelled.size() >= Temperature.ENOUGH ? labelled : NodeSet.of();
            case TRUE -> labelled;
            case FALSE -> NodeSet.of();
        };
    }

    /** Keeps some validation nodes from choosing anything: the same ones of a split, whatever the seed of the training. */
    private static TrainingView holdingOut(Graph raw, Graph graph, Split split, DetectorOptions options) {
        int[] nodes = split.validation().toArray();
        new Seed(0).split("held out of " + split.name()).rng().shuffle(nodes);
        int count = (int) (options.heldOut() * nodes.length);
        if (count == 0) {
            return new TrainingView(raw, graph, split, split.validation());
        }
        NodeSet heldOut = NodeSet.of(Arrays.copyOf(nodes, count));
        NodeSet choosing = NodeSet.of(Arrays.copyOfRange(nodes, count, nodes.length));
        return new TrainingView(raw, graph, split.with(split.train(), choosing, split.test()), heldOut);
    }

    /** The same without all other nodes; those that are kept are numbered anew. */
    private TrainingView only(NodeSet kept) {
        int[] number = kept.places(graph.nodes());
        Graph alone = graph.alone(kept)
                .with()
                .adjacency(graph.adjacency().among(kept))
                .build();
        return new TrainingView(
                raw,
                alone,
                split.with(
                        numbered(split.train(), number),
                        numbered(split.validation(), number),
                        numbered(split.test(), number)),
                numbered(heldOut, number));
    }

    private static NodeSet numbered(NodeSet nodes, int[] number) {
        return NodeSet.of(nodes.stream().map(v -> number[v]).filter(v -> v >= 0).toArray());
    }

    /** Trains network i of an ensemble; network 0 is the one that is trained without one. */
    public Trainer.Result train(DetectorOptions options, int member, TrainingListener listener) {
        return new Trainer(
                        options.architecture(),
                        options.model(),
                        options.training().member(member))
                .train(graph, split, listener);
    }
}
