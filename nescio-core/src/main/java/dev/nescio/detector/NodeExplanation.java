// SPDX-License-Identifier: Apache-2.0
package dev.nescio.detector;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.TableSchema;
import dev.nescio.model.Forward;
import dev.nescio.uncertainty.Explanation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
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

    /** @param share of the score, 0 to 1 */
    public record Layer(String state, double amount, double share) {}

    public record Compared(String node, @Nullable String trueClass, double distance) {}

    /**
     * A feature.
     *
     * @param value of the node, in the units of its table where it came from one
     * @param usual the mean of the training nodes that the node was compared with
     * @param deviations how many standard deviations of all training nodes lie between both
     */
    public record Unusual(String feature, double value, double usual, double deviations) {}

    /**
     * A neighbour in the graph.
     *
     * @param adds how much larger the score of the node is with the edge to it than without
     */
    public record Neighbour(String node, String predicted, double epistemic, double adds) {}

    public static NodeExplanation of(Detector whole, Graph graph, int node) {
        Detector detector = whole.explaining();
        NodeSet itself = NodeSet.of(node);
        Scores own = detector.score(graph, itself);
        Explanation explanation = detector.explain(graph, node);
        int label = graph.label(node);
        return new NodeExplanation(
                graph.ids().name(node),
                label < 0 ? null : graph.classes().get(label),
                own.predicted(0),
                own.prediction().probability()[0],
                own.aleatoric(0),
                own.epistemic()[0],
                own.calibration().knows(own.estimator()) && !own.isTraining(0) ? own.pValues()[0] : null,
                layers(detector, graph, node, explanation),
                explanation.neighbours().stream()
                        .map(near -> compared(detector, graph, near))
                        .toList(),
                unusual(detector, graph, node, explanation),
                neighbours(detector, graph, node),
                graph.adjacency().degree(node));
    }

    private static List<Layer> layers(Detector detector, Graph graph, int node, Explanation explanation) {
        List<Forward.State> states = detector.forward(graph, NodeSet.of(node)).states();
        return explanation.contributions().stream()
                .map(part -> new Layer(
                        (part.state() < 0
                                        ? "features"
                                        : states.get(part.state()).name())
                                + (part.aspect().words().isEmpty()
                                        ? ""
                                        : ", " + part.aspect().words()),
                        part.amount(),
                        explanation.score() == 0 ? 0 : part.amount() / explanation.score()))
                .toList();
    }

    private static Compared compared(Detector detector, Graph graph, Explanation.Neighbour near) {
        OptionalInt here = trainingNode(detector, graph, near);
        int label = here.isPresent() ? graph.label(here.getAsInt()) : Graph.UNLABELLED;
        return new Compared(
                trainingId(detector, near), label < 0 ? null : graph.classes().get(label), near.distance());
    }

    /** Estimators number training nodes as the training graph did; ids hold everywhere. */
    private static String trainingId(Detector detector, Explanation.Neighbour near) {
        List<String> ids = detector.nodes().training();
        return near.position() < ids.size() ? ids.get(near.position()) : "training node number " + near.node();
    }

    private static OptionalInt trainingNode(Detector detector, Graph graph, Explanation.Neighbour near) {
        return graph.ids().find(trainingId(detector, near));
    }

    private static List<Unusual> unusual(Detector detector, Graph graph, int node, Explanation explanation) {
        int[] near = explanation.neighbours().stream()
                .map(n -> trainingNode(detector, graph, n))
                .flatMapToInt(OptionalInt::stream)
                .distinct()
                .toArray();
        int[] training = detector.nodes().training().stream()
                .map(graph.ids()::find)
                .flatMapToInt(OptionalInt::stream)
                .toArray();
        if (near.length == 0 || near.length < Math.min(explanation.neighbours().size(), training.length)) {
            return List.of();
        }
        List<String> names = graph.featureNames();
        List<Unusual> features = new ArrayList<>();
        for (int f = 0; f < names.size(); f++) {
            int feature = f;
            double value = graph.features().get(node, feature);
            double usual = Arrays.stream(near)
                    .mapToDouble(v -> graph.features().get(v, feature))
                    .average()
                    .orElse(0);
            double mean = Arrays.stream(training)
                    .mapToDouble(v -> graph.features().get(v, feature))
                    .average()
                    .orElse(0);
            double variance = Arrays.stream(training)
                    .mapToDouble(v -> Math.pow(graph.features().get(v, feature) - mean, 2))
                    .average()
                    .orElse(0);
            double deviations = (value - usual) / Math.sqrt(Math.max(variance, 1e-12));
            features.add(new Unusual(
                    names.get(f), inUnits(graph, feature, value), inUnits(graph, feature, usual), deviations));
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

    private static List<Neighbour> neighbours(Detector detector, Graph graph, int node) {
        Adjacency adjacency = graph.adjacency();
        int begin = adjacency.pointers()[node];
        int[] around = Arrays.copyOfRange(
                adjacency.neighbours(), begin, Math.min(adjacency.pointers()[node + 1], begin + MOST_NEIGHBOURS));
        if (around.length == 0) {
            return List.of();
        }
        Scores scores = detector.score(graph, NodeSet.of(around));
        NodeSet itself = NodeSet.of(node);
        double with = detector.score(graph, itself).epistemic()[0];
        return IntStream.range(0, around.length)
                .mapToObj(i -> {
                    Graph cut = graph.with()
                            .adjacency(adjacency.without(node, around[i]))
                            .build();
                    return new Neighbour(
                            graph.ids().name(around[i]),
                            scores.predicted(i),
                            scores.epistemic()[i],
                            with - detector.score(cut, itself).epistemic()[0]);
                })
                .sorted(Comparator.comparingDouble(neighbour -> -Math.abs(neighbour.adds)))
                .toList();
    }
}
