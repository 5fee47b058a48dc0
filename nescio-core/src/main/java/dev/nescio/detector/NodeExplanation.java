// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Overlay;
import dev.nescio.graph.TableSchema;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.model.Forward;
import dev.nescio.progress.Progress;
import dev.nescio.surprise.Surprises;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.Explanation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Why a node has its score.
 *
 * @param node its id
 * @param pValue share of ordinary nodes that are at least as uncertain; null where none are known, and for training nodes
 * @param layers what each layer adds to the score, exactly
 * @param nearestTraining the training nodes that it was compared with
 * @param features that lie farthest from those of these nodes; none where the graph does not hold them
 * @param neighbours of the node in the graph, by how much they change the score
 * @param degree how many neighbours there are in all
 */
public record NodeExplanation(
        String node,
        @Nullable String trueClass,
        String predicted,
        double probability,
        double aleatoric,
        double epistemic,
        @Nullable Double pValue,
        List<Layer> layers,
        List<Compared> nearestTraining,
        List<Unusual> features,
        List<Neighbour> neighbours,
        int degree) {

    private static final int MOST_FEATURES = 8;
    private static final int MOST_NEIGHBOURS = 40;
    private static final double UNUSUAL = 0.05;
    private static final double ROUNDING = 1e-6;

    /** @param share of the score, 0 to 1 */
    public record Layer(String state, double amount, double share) {}

    /**
     * A training node that the explained node was compared with.
     *
     * @param node its id
     * @param trueClass its class; null where the graph does not hold the node or its label
     * @param distance from the explained node in the joint embedding
     */
    public record Compared(String node, @Nullable String trueClass, double distance) {}

    /**
     * A feature.
     *
     * @param value of the node, in the units of its table where it came from one
     * @param usual the mean of the training nodes that the node was compared with, or of all nodes where nothing was trained
     * @param deviations how many standard deviations of all training nodes lie between both
     */
    public record Unusual(String feature, double value, double usual, double deviations) {}

    /**
     * A neighbour in the graph.
     *
     * @param adds how much larger the score of the node is with the edge to it than without
     */
    public record Neighbour(String node, String predicted, double epistemic, double adds) {}

    /** In one sentence. */
    public String headline() {
        StringBuilder text = new StringBuilder("Node " + node);
        if (pValue == null) {
            text.append(String.format(Locale.ROOT, " has the epistemic score %.4g", epistemic));
        } else if (pValue <= UNUSUAL) {
            text.append(String.format(
                    Locale.ROOT,
                    " is unusual: only %.1f %% of ordinary nodes lie as far from what was learned",
                    100 * pValue));
        } else {
            text.append(String.format(
                    Locale.ROOT,
                    " is nothing special: %.0f %% of ordinary nodes lie as far from what was learned or farther",
                    100 * pValue));
        }
        layers.stream()
                .max(Comparator.comparingDouble(Layer::share))
                .ifPresent(most -> text.append(String.format(
                        Locale.ROOT,
                        "; %.0f %% of the score comes from %s",
                        100 * most.share,
                        most.state.replaceFirst(", (.*)", " ($1)"))));
        if (!features.isEmpty()) {
            Unusual first = features.get(0);
            text.append(String.format(
                    Locale.ROOT,
                    "; of its features, %s stands out (%.4g, %s %.4g)",
                    first.feature,
                    first.value,
                    nearestTraining.isEmpty() ? "the mean of all nodes is" : "similar training nodes have",
                    first.usual));
        }
        return text.append('.').toString();
    }

    /** Of a row of hidden states that another network has made: there are no features and no neighbours to look at. */
    public static NodeExplanation of(EmbeddingDetector whole, Evidence evidence, NodeIds ids, int node) {
        return of(whole, evidence, ids, node, state -> "state " + state, List.of());
    }

    /** Of a node of a graph without labels; its features are compared with those of all nodes. */
    public static NodeExplanation of(EmbeddingDetector whole, Surprises surprises, Graph graph, int node) {
        return of(
                whole,
                surprises.of(graph),
                graph.ids(),
                node,
                Surprises.NAMES::get,
                unusual(Overlay.on(graph), node, all(graph), all(graph)));
    }

    private static int[] all(Graph graph) {
        return IntStream.range(0, graph.nodes()).toArray();
    }

    private static NodeExplanation of(
            EmbeddingDetector whole,
            Evidence evidence,
            NodeIds ids,
            int node,
            IntFunction<String> names,
            List<Unusual> features) {
        EmbeddingDetector detector =
                whole.withEstimators(List.of(whole.estimators().explaining()));
        Scores scores = detector.score(evidence, ids, Progress.NONE);
        Explanation explanation = detector.explain(evidence, ids, node);
        boolean isKnown = scores.calibration().knows(scores.estimator()) && !scores.isTraining(node);
        return new NodeExplanation(
                ids.name(node),
                null,
                scores.hasPredictions() ? scores.predicted(node) : "",
                scores.hasPredictions() ? scores.prediction().probability()[node] : Double.NaN,
                scores.hasPredictions() ? scores.aleatoric(node) : Double.NaN,
                explanation.score(),
                isKnown ? scores.pValues()[node] : null,
                layers(explanation, names),
                explanation.neighbours().stream()
                        .map(near -> new Compared(trainingId(detector.nodes(), near), null, near.distance()))
                        .toList(),
                features,
                List.of(),
                0);
    }

    /**
     * Explains a node, by its number in the raw graph, with the first estimator that can; refuses a detector without one. The
     * effect of neighbours is measured by cutting edges, one scoring each, for at most 40 of them.
     */
    public static NodeExplanation of(Detector whole, Graph graph, int node) {
        return of(whole, Overlay.on(graph), node);
    }

    /** The same of a node of a graph to which something was added. */
    public static NodeExplanation of(Detector whole, Overlay graph, int node) {
        Detector detector = whole.explaining();
        NodeSet itself = NodeSet.of(node);
        Scores own = detector.score(graph, itself);
        Explanation explanation = detector.explain(graph, node);
        int label = graph.label(node);
        return new NodeExplanation(
                graph.id(node),
                label < 0 ? null : graph.base().classes().get(label),
                own.predicted(0),
                own.prediction().probability()[0],
                own.aleatoric(0),
                own.epistemic()[0],
                own.calibration().knows(own.estimator()) && !own.isTraining(0) ? own.pValues()[0] : null,
                layers(explanation, names(detector, graph, node)),
                explanation.neighbours().stream()
                        .map(near -> compared(detector, graph, near))
                        .toList(),
                unusual(detector, graph, node, explanation),
                neighbours(detector, graph, node),
                graph.degree(node));
    }

    private static IntFunction<String> names(Detector detector, Overlay graph, int node) {
        List<Forward.State> states = detector.forward(graph, NodeSet.of(node)).states();
        return state -> states.get(state).name();
    }

    private static List<Layer> layers(Explanation explanation, IntFunction<String> name) {
        return explanation.contributions().stream()
                .map(part -> new Layer(
                        (part.state() < 0 ? "features" : name.apply(part.state()))
                                + (part.aspect().words().isEmpty()
                                        ? ""
                                        : ", " + part.aspect().words()),
                        part.amount(),
                        explanation.score() == 0 ? 0 : part.amount() / explanation.score()))
                .toList();
    }

    private static Compared compared(Detector detector, Overlay graph, Explanation.Neighbour near) {
        OptionalInt here = trainingNode(detector, graph, near);
        int label = here.isPresent() ? graph.label(here.getAsInt()) : Graph.UNLABELLED;
        return new Compared(
                trainingId(detector.nodes(), near),
                label < 0 ? null : graph.base().classes().get(label),
                near.distance());
    }

    /** Estimators number training nodes as the training graph did; ids hold everywhere. */
    private static String trainingId(KnownNodes nodes, Explanation.Neighbour near) {
        List<String> ids = nodes.training();
        return near.position() < ids.size() ? ids.get(near.position()) : "training node number " + near.node();
    }

    private static OptionalInt trainingNode(Detector detector, Overlay graph, Explanation.Neighbour near) {
        return graph.find(trainingId(detector.nodes(), near));
    }

    private static List<Unusual> unusual(Detector detector, Overlay graph, int node, Explanation explanation) {
        int[] near = explanation.neighbours().stream()
                .map(n -> trainingNode(detector, graph, n))
                .flatMapToInt(OptionalInt::stream)
                .distinct()
                .toArray();
        int[] training = detector.nodes().training().stream()
                .map(graph::find)
                .flatMapToInt(OptionalInt::stream)
                .toArray();
        if (near.length == 0 || near.length < Math.min(explanation.neighbours().size(), training.length)) {
            return List.of();
        }
        return unusual(graph, node, near, training);
    }

    /** The features of a node that lie farthest from those of the near ones, by the spread of all. */
    private static List<Unusual> unusual(Overlay graph, int node, int[] near, int[] training) {
        List<String> names = graph.base().featureNames();
        List<Unusual> features = new ArrayList<>();
        for (int f = 0; f < names.size(); f++) {
            int feature = f;
            double value = graph.feature(node, feature);
            double usual = Arrays.stream(near)
                    .mapToDouble(v -> graph.feature(v, feature))
                    .average()
                    .orElse(0);
            double mean = Arrays.stream(training)
                    .mapToDouble(v -> graph.feature(v, feature))
                    .average()
                    .orElse(0);
            double variance = Arrays.stream(training)
                    .mapToDouble(v -> Math.pow(graph.feature(v, feature) - mean, 2))
                    .average()
                    .orElse(0);
            double deviations = (value - usual) / Math.sqrt(Math.max(variance, 1e-12));
            features.add(new Unusual(
                    names.get(f),
                    inUnits(graph.base(), feature, value),
                    inUnits(graph.base(), feature, usual),
                    deviations));
        }
        features.sort(Comparator.comparingDouble((Unusual u) -> -Math.abs(u.deviations)));
        return features.stream()
                .filter(u -> Math.abs(u.deviations) > 1e-9)
                .limit(MOST_FEATURES)
                .toList();
    }

    /** Undoes the scaling of a table's column. */
    private static double inUnits(Graph graph, int feature, double value) {
        TableSchema.Scale scale = graph.schema() == null ? null : graph.schema().scale(feature);
        return scale == null ? value : scale.undo(value);
    }

    private static List<Neighbour> neighbours(Detector detector, Overlay graph, int node) {
        int[] around = likelyToMatter(detector, graph, node);
        if (around.length == 0) {
            return List.of();
        }
        Scores scores = detector.score(graph, NodeSet.of(around));
        NodeSet itself = NodeSet.of(node);
        double with = detector.score(graph, itself).epistemic()[0];
        return IntStream.range(0, around.length)
                .mapToObj(i -> {
                    Overlay cut = graph.without(node, around[i]);
                    return new Neighbour(
                            graph.id(around[i]),
                            scores.predicted(i),
                            scores.epistemic()[i],
                            noiseIsZero(with - detector.score(cut, itself).epistemic()[0], with));
                })
                .sorted(Comparator.comparingDouble(neighbour -> -Math.abs(neighbour.adds)))
                .toList();
    }

    /** Differences that come from rounding are none. */
    private static double noiseIsZero(double difference, double score) {
        return Math.abs(difference) <= ROUNDING * Math.abs(score) ? 0 : difference;
    }

    /**
     * The neighbours that may change the score most, ascending. Cutting an edge takes a pass of its own; of many neighbours, those
     * are tried whose first state differs most from what the neighbourhood sends on average, those with few neighbours of their own
     * first.
     */
    private static int[] likelyToMatter(Detector detector, Overlay graph, int node) {
        int[] all = graph.row(node);
        if (all.length <= MOST_NEIGHBOURS) {
            return all;
        }
        DenseMatrix states = detector.forward(graph, NodeSet.of(all)).matrices().get(0);
        double[] mean = new double[states.columns()];
        for (int i = 0; i < states.values().length; i++) {
            mean[i % mean.length] += states.values()[i] / (double) all.length;
        }
        double[] weight = new double[all.length];
        for (int i = 0; i < all.length; i++) {
            double squares = 0;
            for (int c = 0; c < mean.length; c++) {
                squares += Math.pow(states.get(i, c) - mean[c], 2);
            }
            weight[i] = squares / Math.max(1, graph.degree(all[i]));
        }
        return IntStream.range(0, all.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> -weight[i]))
                .limit(MOST_NEIGHBOURS)
                .mapToInt(i -> all[i])
                .sorted()
                .toArray();
    }
}
