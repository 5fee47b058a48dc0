// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import dev.nescio.decision.Calibration;
import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Fingerprint;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Overlay;
import dev.nescio.graph.Split;
import dev.nescio.graph.Surroundings;
import dev.nescio.graph.TableSchema;
import dev.nescio.graph.split.SplitRules;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.model.Forward;
import dev.nescio.model.Model;
import dev.nescio.model.training.Trainer;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.progress.Progress;
import dev.nescio.random.Seed;
import dev.nescio.tensor.Engine;
import dev.nescio.tensor.Parallel;
import dev.nescio.tensor.TensorRows;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.Explanation;
import dev.nescio.uncertainty.Need;
import dev.nescio.uncertainty.Samples;
import dev.nescio.uncertainty.Temperature;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A trained network with fitted estimators: takes a graph, gives a score per node. Immutable, on the heap, safe to share
 * between threads.
 *
 * @param networks the trained one, and behind it the other members of an ensemble
 * @param estimators the fitted estimators, and what they say of ordinary nodes
 * @param schema how tables become features; null where the training graph did not come from tables
 * @param nodes that it was made from
 * @param reference some of the held-out nodes, to tell drift by; null where none were kept
 */
public record Detector(
        DetectorOptions options,
        List<Model> networks,
        FittedEstimators estimators,
        @Nullable TableSchema schema,
        KnownNodes nodes,
        @Nullable ReferenceNodes reference,
        Provenance provenance) {

    /**
     * Refuses networks whose outputs are not the named classes, and fewer networks than the estimators need. Also refuses
     * reference nodes with other features or classes. Meant for reading from files; {@link #train(Graph)} makes new detectors.
     */
    public Detector {
        networks = List.copyOf(networks);
        for (Model network : networks) {
            if (estimators.classes().size() != network.shape().classes()) {
                throw new BadInput("the network has " + network.shape().classes() + " outputs, but "
                        + estimators.classes().size() + " classes are named");
            }
        }
        if (reference != null
                && (reference.features().columns() != networks.get(0).shape().features()
                        || Arrays.stream(reference.predicted())
                                .anyMatch(label -> label < 0
                                        || label >= estimators.classes().size()))) {
            throw new BadInput("the reference nodes have other features or classes than the network");
        }
        if (networks.size() < options.networks()) {
            throw new BadConfiguration(String.join(", ", options.labels()) + " need " + options.networks()
                    + " trained models, but there are " + networks.size()
                    + "; train with --estimator ensemble and --members");
        }
    }

    /** Trains with all defaults on the first split of the graph, or on a random one where it has none. */
    public static Detector train(Graph graph) {
        return train(graph, SplitRules.first(graph), DetectorOptions.defaults(), TrainingListener.NONE);
    }

    /**
     * Trains a network on one split of a graph, fits the estimators and calibrates them on held-out nodes. Refuses a graph, split
     * or options that could not be trained, before training begins. The listener hears of every epoch; if it throws, training
     * ends there.
     *
     * <pre>{@code
     * Split split = SplitRules.choose(graph, "60/20/20:1");
     * DetectorOptions options = DetectorOptions.defaults().withSeed(3);
     * Detector detector = Detector.train(graph, split, options, TrainingListener.NONE);
     * }</pre>
     */
    public static Detector train(Graph raw, Split split, DetectorOptions options, TrainingListener listener) {
        return train(TrainingView.of(raw, split, options), options, listener);
    }

    /**
     * Trains on the labels of the split's training nodes, fits the estimators on the same graph, and learns from held-out
     * validation nodes what is ordinary. The networks of an ensemble are trained side by side, each on one core.
     */
    public static Detector train(TrainingView view, DetectorOptions options, TrainingListener listener) {
        Trainer.Result[] trained = new Trainer.Result[options.networks()];
        if (trained.length == 1) {
            trained[0] = view.train(options, 0, listener);
        } else {
            AtomicInteger done = new AtomicInteger();
            Parallel.sideBySide(trained.length, i -> {
                trained[i] = view.train(options, i, TrainingListener.NONE);
                listener.trained(done.incrementAndGet(), trained.length);
            });
        }
        listener.step("fitting " + String.join(", ", options.labels()));
        Detector fitted = of(view, options, List.of(trained));
        listener.step("scoring " + view.heldOut().size() + " held-out nodes");
        return fitted.calibratedOn(view);
    }

    /**
     * The same from networks that were trained before on the same view, and without learning what is ordinary: network i with
     * {@link dev.nescio.model.TrainingOptions#member member(i)} of the options' training.
     */
    public static Detector of(TrainingView view, DetectorOptions options, List<Trainer.Result> trained) {
        List<Model> networks = trained.stream().map(Trainer.Result::model).toList();
        Graph graph = view.graph();
        NodeSet telling = view.temperatureNodes(options.detector().get(DetectorOptions.CALIBRATE));
        FittedEstimators estimators = networks.get(0).look(graph, NodeSet.all(graph.nodes()), forward -> {
            if (!forward.matrices().stream().allMatch(TensorRows::areFinite)) {
                throw overflow(graph.name());
            }
            Evidence evidence = Evidence.of(
                    finite(forward, graph.name()), graph, view.split().train());
            double temperature = telling.isEmpty() ? 1 : Temperature.fit(forward.logits(), graph.labels(), telling);
            return FittedEstimators.fit(evidence, options.estimators(), graph.classes(), temperature);
        });
        return new Detector(
                options,
                networks,
                estimators,
                graph.schema(),
                KnownNodes.of(graph, view.split(), view.heldOut()),
                null,
                provenance(view, options, trained.get(0)));
    }

    private Detector calibratedOn(TrainingView view) {
        NodeSet heldOut = view.heldOut();
        if (heldOut.isEmpty()) {
            return this;
        }
        Graph graph = view.graph();
        FittedEstimators calibrated = estimators.calibratedOn(
                scoreSome(graph, heldOut, Progress.NONE),
                heldOut.stream().map(graph::label).toArray(),
                "held-out validation nodes of split " + view.split().name() + " of " + graph.name());
        return new Detector(
                options, networks, calibrated, schema, nodes, ReferenceNodes.of(this, graph, heldOut), provenance);
    }

    /** Names of the classes that it knows. */
    public List<String> classes() {
        return estimators.classes();
    }

    /** What it knows of ordinary nodes. */
    public Calibration calibration() {
        return estimators.calibration();
    }

    /** The network whose hidden states the estimators look at. */
    public Model model() {
        return networks.get(0);
    }

    private static Provenance provenance(TrainingView view, DetectorOptions options, Trainer.Result trained) {
        Graph graph = view.raw();
        return new Provenance(
                graph.name(),
                Fingerprint.of(graph),
                graph.nodes(),
                graph.adjacency().edges(),
                view.split().name(),
                options.leftOut().stream().sorted().map(graph.classes()::get).toList(),
                Engine.threads(),
                trained.epochs(),
                trained.bestEpoch(),
                trained.validationAccuracy(),
                Engine.version());
    }

    /**
     * The same detector with these estimators alone, in this order, by their labels or texts. Those that learn nothing need not
     * have been fitted.
     */
    public Detector withEstimators(List<String> texts) {
        FittedEstimators chosen = estimators.only(texts);
        return new Detector(
                options.withEstimators(chosen.specs()), networks, chosen, schema, nodes, reference, provenance);
    }

    /**
     * Scores every node of a graph, the training graph or another with the same features, without reporting progress.
     *
     * <pre>{@code
     * Scores scores = detector.score(graph);
     * NodeSet unusual = scores.flagged(0.05);
     * unusual.stream().forEach(node -> System.out.println(scores.ids().name(node)));
     * }</pre>
     */
    public Scores score(Graph graph) {
        return score(graph, Progress.NONE);
    }

    /** Scores every node of a graph with the same features, from one forward pass; nothing is fitted again. */
    public Scores score(Graph raw, Progress progress) {
        return scorePrepared(options.preprocessing().apply(raw), progress);
    }

    /**
     * Scores some nodes, ascending, as {@link #score(Graph)} would: new nodes of a graph that has grown, for example. Costs
     * only the surroundings of these nodes, unless an estimator looks at the edges itself or makes random passes.
     */
    public Scores score(Graph raw, NodeSet some) {
        boolean needsAll = anyNeeds(Need.EDGES) || anyNeeds(Need.RANDOM_PASSES);
        return needsAll
                ? score(raw).of(some)
                : scoreSome(options.preprocessing().apply(raw), some, Progress.NONE);
    }

    /**
     * Scores some nodes, ascending, of a graph to which something was added, as {@link #score(Graph, NodeSet)} would on a copy. Costs
     * the surroundings of these nodes, however large the graph is; estimators that look at the whole graph get such a copy.
     */
    public Scores score(Overlay raw, NodeSet some) {
        if (looksAtAll()) {
            return score(raw.toGraph(), some);
        }
        Surroundings graph = raw.prepared(options.preprocessing());
        NodeIds ids = NodeIds.named(some.stream().mapToObj(raw::id).toList());
        KnownNodes known = nodesIn(raw.base());
        Forward forward = forward(raw, some);
        Evidence evidence = Evidence.of(forward, alone(raw, graph, some, ids), NodeSet.of())
                .placed(known.trainingPlaces(ids, NodeSet.all(ids.size())));
        if (anyNeeds(Need.ENSEMBLE)) {
            evidence = evidence.withSamples(
                    Need.ENSEMBLE,
                    opinions(forward.logits(), i -> finite(networks.get(i).logits(graph, some), graph.name())));
        }
        return estimators.score(evidence, ids, Progress.NONE).withRoles(known.roles(ids));
    }

    /** Whether an estimator looks at more than the surroundings of the nodes that it scores. */
    public boolean looksAtAll() {
        return anyNeeds(Need.EDGES) || anyNeeds(Need.RANDOM_PASSES) || anyNeeds(Need.FORWARD_WITHOUT_EDGES);
    }

    private static Graph alone(Overlay raw, Surroundings graph, NodeSet some, NodeIds ids) {
        return Graph.builder(raw.base().name(), Adjacency.empty(some.size()))
                .features(graph.features().apply(some.toArray()))
                .labels(some.stream().map(raw::label).toArray(), raw.base().classes())
                .ids(ids)
                .build();
    }

    /** Scores one node, by its id, at the cost of its surroundings; refuses an id that the graph does not have. */
    public NodeResult score(Graph raw, String id) {
        int node = raw.ids().find(id).orElseThrow(() -> new BadInput(raw.name() + " has no node '" + id + "'"));
        return score(raw, NodeSet.of(node)).result(id);
    }

    /** Scores a graph whose features are already prepared for the network. */
    public Scores scorePrepared(Graph graph, Progress progress) {
        return look(
                        graph,
                        NodeSet.all(graph.nodes()),
                        progress,
                        evidence -> estimators.score(evidence, graph.ids(), progress))
                .withRoles(nodesIn(graph).roles(graph.ids()));
    }

    private Scores scoreSome(Graph graph, NodeSet some, Progress progress) {
        if (anyNeeds(Need.EDGES)) {
            return scorePrepared(graph, progress).of(some);
        }
        Graph alone = graph.alone(some);
        return look(graph, some, progress, evidence -> estimators.score(evidence.on(alone), alone.ids(), progress))
                .withRoles(nodesIn(graph).roles(alone.ids()));
    }

    /**
     * What the networks say about some nodes, as far as one of the estimators needs it. Hidden states stay in native memory while
     * the body looks at them.
     */
    private <T> T look(Graph graph, NodeSet some, Progress progress, Function<Evidence, T> body) {
        return model().look(graph, some, forward -> {
            finite(forward, graph.name());
            Evidence evidence = samples(
                    Evidence.of(forward, graph, NodeSet.of())
                            .placed(nodesIn(graph).trainingPlaces(graph.ids(), some)),
                    graph,
                    some,
                    progress);
            if (!anyNeeds(Need.FORWARD_WITHOUT_EDGES)) {
                return body.apply(evidence);
            }
            return model().look(
                            graph.withoutEdges(),
                            NodeSet.all(graph.nodes()),
                            alone -> body.apply(evidence.withoutEdges(finite(alone, graph.name()))));
        });
    }

    private Evidence samples(Evidence first, Graph graph, NodeSet some, Progress progress) {
        Evidence evidence = first;
        if (anyNeeds(Need.RANDOM_PASSES)) {
            evidence = evidence.withSamples(Need.RANDOM_PASSES, randomPasses(graph, some, progress));
        }
        if (anyNeeds(Need.ENSEMBLE)) {
            evidence = evidence.withSamples(
                    Need.ENSEMBLE,
                    opinions(
                            first.requireLogits("ensemble"),
                            i -> finite(networks.get(i).logits(graph, some), graph.name())));
        }
        return evidence;
    }

    /**
     * The nodes that it knows, where a graph may hold them: with numbers for ids, a graph with fewer nodes than the one that it was
     * trained on is another one.
     */
    public KnownNodes nodesIn(Graph graph) {
        boolean isAnother = graph.ids() instanceof NodeIds.Numbered && graph.nodes() < provenance.nodes();
        return isAnother ? KnownNodes.NONE : nodes;
    }

    private boolean anyNeeds(Need need) {
        return options.anyNeeds(need);
    }

    private Samples randomPasses(Graph graph, NodeSet some, Progress progress) {
        Samples.Collector collector =
                new Samples.Collector(some.size(), classes().size());
        int passes = options.passes();
        AtomicLong done = new AtomicLong();
        model().randomPasses(graph, some, passes, new Seed(options.training().seed()).split("passes"), (i, logits) -> {
            collector.add(i, finite(logits, graph.name()));
            progress.at(done.addAndGet(some.size()), (long) passes * some.size());
        });
        return collector.finish();
    }

    /** What the networks of the ensemble say; the first one has said it already. */
    private Samples opinions(DenseMatrix first, IntFunction<DenseMatrix> others) {
        Samples.Collector collector =
                new Samples.Collector(first.rows(), classes().size());
        collector.add(0, first);
        for (int i = 1; i < options.networks(); i++) {
            collector.add(i, others.apply(i));
        }
        return collector.finish();
    }

    /** The same detector with the first estimator alone that can say why. */
    public Detector explaining() {
        return withEstimators(List.of(estimators.explaining()));
    }

    /** Why the first estimator that can tell gives a node its score. */
    public Explanation explain(Graph raw, int node) {
        return explain(Overlay.on(raw), node);
    }

    /** The same on a graph to which something was added. */
    public Explanation explain(Overlay raw, int node) {
        NodeSet itself = NodeSet.of(node);
        NodeIds ids = NodeIds.named(List.of(raw.id(node)));
        Graph alone = alone(raw, raw.prepared(options.preprocessing()), itself, ids);
        Evidence evidence = Evidence.of(forward(raw, itself), alone, NodeSet.of());
        return estimators.explain(evidence.placed(nodesIn(raw.base()).trainingPlaces(ids, NodeSet.all(1))), 0);
    }

    /** Logits and hidden states of every node. */
    public Forward forward(Graph raw) {
        return forward(raw, NodeSet.all(raw.nodes()));
    }

    /** Logits and hidden states of some nodes, ascending. */
    public Forward forward(Graph raw, NodeSet some) {
        return forwardPrepared(options.preprocessing().apply(raw), some);
    }

    /** The same on a graph to which something was added, at the cost of the surroundings of these nodes. */
    public Forward forward(Overlay raw, NodeSet some) {
        Surroundings graph = raw.prepared(options.preprocessing());
        return finite(model().forward(graph, some), graph.name());
    }

    /** The same on a graph whose features are already prepared for the network. */
    Forward forwardPrepared(Graph graph, NodeSet some) {
        return finite(model().forward(graph, some), graph.name());
    }

    private static Forward finite(Forward forward, String graph) {
        finite(forward.logits(), graph);
        return forward;
    }

    private static DenseMatrix finite(DenseMatrix logits, String graph) {
        if (logits.firstNotFinite() != null) {
            throw overflow(graph);
        }
        return logits;
    }

    private static BadInput overflow(String graph) {
        return new BadInput(graph + ": the features are so large that the model overflows");
    }
}
