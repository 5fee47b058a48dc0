// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.BlockGraph;
import dev.nescio.graph.Fingerprint;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Preprocessing;
import dev.nescio.graph.Split;
import dev.nescio.matrix.Matrix;
import dev.nescio.model.Architecture;
import dev.nescio.model.Forward;
import dev.nescio.model.Model;
import dev.nescio.model.block.BlockPass;
import dev.nescio.model.network.Fsgnn;
import dev.nescio.model.training.Trainer;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.progress.Progress;
import dev.nescio.tensor.Engine;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.Population;
import dev.nescio.uncertainty.Temperature;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Trains a detector on a graph that need not fit into memory: in batches, with the estimators fitted from a pass block by block. Only
 * training and held-out nodes are kept in memory.
 */
public final class BlockTraining {

    /** The part of the memory that the states of training and held-out nodes may take. */
    private static final double KEPT_SHARE = 0.5;

    private final BlockGraph graph;
    private final DetectorOptions options;
    private final TrainingView view;
    private final BlockPass.Options limits;
    private final Function<Model, Population> population;

    private BlockTraining(
            BlockGraph graph,
            Split split,
            DetectorOptions options,
            BlockPass.Options limits,
            @Nullable Function<Model, Population> population) {
        this.graph = graph;
        this.options = options;
        this.view = TrainingView.of(graph, split, options);
        this.limits = limits;
        this.population = population == null ? this::population : population;
    }

    /**
     * Trains on one split. Refuses ensembles, and estimators that look beyond one forward pass.
     *
     * @param split of the nodes of the graph, by their numbers
     * @param limits of memory, and where files are kept meanwhile
     */
    public static Detector train(
            BlockGraph graph,
            Split split,
            DetectorOptions options,
            BlockPass.Options limits,
            TrainingListener listener) {
        return train(graph, split, options, limits, null, listener);
    }

    /**
     * Training and validation nodes of a graph that nobody holds as a whole, with what they hear of all others.
     *
     * @param rows their hops as {@link Fsgnn#onHops} sees them, and their numbers of neighbours; they have no links
     * @param nodes of the graph
     * @param edges of the graph, with directions
     * @param all what all nodes of the graph are like to a model
     */
    public record Hops(BlockGraph rows, long nodes, long edges, Function<Model, Population> all) {}

    /**
     * Trains {@code fsgnn} on hops that were computed before, wherever that was: the detector is that of the whole graph, but that it does
     * not know the ids of nodes without a part in it.
     *
     * @param split of the rows
     */
    public static Detector train(
            Hops hops, Split split, DetectorOptions options, BlockPass.Options limits, TrainingListener listener) {
        requireHops(options);
        DetectorOptions onHops = new DetectorOptions(
                Fsgnn.onHops(),
                options.model(),
                options.training(),
                Preprocessing.NONE,
                options.estimators(),
                options.detector(),
                options.leftOut());
        int width = hops.rows.features() / options.architecture().states(options.model());
        Detector trained = train(
                hops.rows, split, onHops, limits, model -> hops.all.apply(onFeatures(model, options, width)), listener);
        ReferenceNodes reference = trained.reference();
        return new Detector(
                options,
                List.of(onFeatures(trained.model(), options, width)),
                trained.estimators(),
                trained.schema(),
                trained.nodes(),
                reference == null ? null : reference.withFeatures(width),
                trained.provenance().of(hops.nodes, hops.edges));
    }

    /** Refuses what cannot be trained on hops. */
    public static void requireHops(DetectorOptions options) {
        if (!(options.architecture() instanceof Fsgnn)) {
            throw new BadConfiguration(options.architecture().name()
                    + " cannot be trained on features that were propagated before; fsgnn can");
        }
        if (!options.training().neighbours().isEmpty()) {
            throw new BadConfiguration(
                    "features that were propagated before come from all neighbours; --neighbours cannot be chosen");
        }
        requireBlocks(options);
    }

    private static Model onFeatures(Model onHops, DetectorOptions options, int width) {
        return new Model(
                options.architecture(),
                new Architecture.Shape(width, onHops.shape().classes()),
                options.model(),
                onHops.parameters());
    }

    private static void requireBlocks(DetectorOptions options) {
        BlockScoring.require(options);
        if (options.networks() > 1) {
            throw new BadConfiguration("an ensemble cannot be trained block by block");
        }
        if (options.estimators().stream().anyMatch(spec -> spec.isOn("features"))) {
            throw new BadConfiguration("features as a state cannot be fitted block by block");
        }
    }

    private static Detector train(
            BlockGraph graph,
            Split split,
            DetectorOptions options,
            BlockPass.Options limits,
            @Nullable Function<Model, Population> population,
            TrainingListener listener) {
        requireBlocks(options);
        BlockTraining training = new BlockTraining(graph, split, options, limits, population);
        training.requireMemory();
        options.requireEstimators(training.view.split().train().size());
        return training.train(listener);
    }

    private void requireMemory() {
        long kept = view.split().train().size() + (long) view.heldOut().size();
        long width = (long) options.model().hidden() * options.architecture().states(options.model());
        long bytes = kept * width * Float.BYTES;
        if (bytes > KEPT_SHARE * limits.memory()) {
            throw new BadConfiguration(String.format(
                    Locale.ROOT,
                    "the states of %,d training and held-out nodes take %,d MiB, more than half of the memory;"
                            + " a split with fewer of them (--split 2/2/96) or more memory helps",
                    kept,
                    bytes >> 20));
        }
    }

    private Matrix prepared(Matrix features) {
        return options.preprocessing().apply(features);
    }

    private Detector train(TrainingListener listener) {
        Trainer.Result trained = new Trainer(options.architecture(), options.model(), options.training())
                .train(graph, view.graph(), this::prepared, view.split(), limits, listener);
        listener.step("fitting " + String.join(", ", options.labels()));
        Model model = trained.model();
        Rows learned = new Rows(view.split().train());
        Rows heldOut = new Rows(view.heldOut());
        pass(model, (from, forward) -> {
            learned.add(from, forward);
            heldOut.add(from, forward);
        });
        FittedEstimators fitted = FittedEstimators.fit(
                learned.evidence(true).outOf(population.apply(model)),
                options.estimators(),
                view.graph().classes(),
                temperature(heldOut));
        ReferenceNodes reference = null;
        if (!view.heldOut().isEmpty()) {
            listener.step("scoring " + view.heldOut().size() + " held-out nodes");
            fitted = fitted.calibratedOn(
                    fitted.score(
                            heldOut.evidence(false),
                            NodeIds.numbered(view.heldOut().size()),
                            Progress.NONE),
                    heldOut.labels(),
                    "held-out validation nodes of split " + view.split().name() + " of " + graph.name());
            reference = reference(heldOut);
        }
        return new Detector(
                options,
                List.of(model),
                fitted,
                graph.schema(),
                KnownNodes.of(graph, view.split(), view.heldOut()),
                reference,
                provenance(trained));
    }

    private void pass(Model model, BlockPass.Listener listener) {
        BlockPass.run(model, graph, this::prepared, limits, listener, Progress.NONE);
    }

    private Population population(Model model) {
        return block -> pass(model, (from, forward) -> block.accept(forward.matrices()));
    }

    private double temperature(Rows heldOut) {
        NodeSet telling = view.temperatureNodes(options.detector().get(DetectorOptions.CALIBRATE));
        if (telling.isEmpty()) {
            return 1;
        }
        int[] labels = heldOut.labels();
        return Temperature.fit(heldOut.forward().logits(), labels, NodeSet.where(labels.length, i -> labels[i] >= 0));
    }

    private ReferenceNodes reference(Rows heldOut) {
        NodeSet some = ReferenceNodes.some(view.heldOut(), graph.features());
        int[] nodes = some.toArray();
        int[] places = some.stream().map(heldOut::place).toArray();
        Matrix features = prepared(graph.features(nodes[0], 1));
        for (int i = 1; i < nodes.length; i++) {
            features = features.above(prepared(graph.features(nodes[i], 1)));
        }
        return ReferenceNodes.of(
                heldOut.forward().of(places),
                features,
                some.stream().map(v -> graph.degrees()[v]).toArray());
    }

    private Provenance provenance(Trainer.Result trained) {
        return new Provenance(
                graph.name(),
                Fingerprint.of(graph),
                graph.nodes(),
                (int) Math.min(Integer.MAX_VALUE, graph.edges()),
                view.split().name(),
                options.leftOut().stream().sorted().map(graph.classes()::get).toList(),
                Engine.threads(),
                trained.epochs(),
                trained.bestEpoch(),
                trained.validationAccuracy(),
                Engine.version());
    }

    /** What a pass says about some nodes, collected from its blocks. */
    private final class Rows {

        private final NodeSet nodes;
        private final int[] order;
        private final List<Forward> parts = new ArrayList<>();
        private int next;
        private @Nullable Forward whole;

        Rows(NodeSet nodes) {
            this.nodes = nodes;
            this.order = nodes.toArray();
        }

        void add(int from, Forward forward) {
            int begin = next;
            while (next < order.length && order[next] < from + forward.nodes()) {
                next++;
            }
            if (next > begin) {
                parts.add(forward.of(
                        IntStream.range(begin, next).map(i -> order[i] - from).toArray()));
            }
        }

        Forward forward() {
            Forward made = whole;
            if (made == null) {
                made = Forward.joined(parts);
                parts.clear();
                whole = made;
            }
            return made;
        }

        int place(int node) {
            return Arrays.binarySearch(order, node);
        }

        int[] labels() {
            return nodes.stream().map(view.graph()::label).toArray();
        }

        /** @param haveTaught whether the network has learned from them */
        Evidence evidence(boolean haveTaught) {
            Graph alone = Graph.builder(graph.name(), Adjacency.empty(order.length))
                    .labels(labels(), view.graph().classes())
                    .build();
            return Evidence.of(forward(), alone, haveTaught ? NodeSet.all(order.length) : NodeSet.of());
        }
    }
}
