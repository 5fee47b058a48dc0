package dev.nescio.cli;

import dev.nescio.detector.Detector;
import dev.nescio.detector.Scores;
import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Fingerprint;
import dev.nescio.graph.Graph;
import dev.nescio.io.DetectorFile;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.uncertainty.Explanation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nescio explain}. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        description =
                "Say why a node is uncertain: what each layer adds, the training nodes it was compared with, its surroundings.",
        footer = {
            "",
            "Layer H0 sees the node's own features, H1 also its neighbours, H2 also theirs.",
            "",
            "Examples:",
            "  nescio explain model builtin:blocks --node 2905",
            "  nescio explain model builtin:blocks --node 2905 --json"
        })
final class ExplainCommand implements Callable<Integer> {

    private static final int BAR = 30;
    private static final int MOST_NEIGHBOURS = 10;

    @Parameters(index = "0", paramLabel = "MODEL", description = "What 'nescio train' has saved.")
    Path model;

    @Parameters(index = "1", paramLabel = "GRAPH", description = GraphSource.DESCRIPTION)
    String source;

    @Option(
            names = "--node",
            paramLabel = "ID",
            required = true,
            description = "The node, by its id as in the table of scores.")
    String id;

    @Mixin
    GraphSource graphs;

    @Mixin
    CommonOptions common;

    @Override
    public Integer call() {
        common.begin();
        Detector detector = DetectorFile.read(model);
        Graph graph = graphs.read(source, common);
        int node = graph.ids().find(id).orElseThrow(() -> new BadConfiguration(source + " has no node '" + id + "'"));
        Why why = Why.of(detector, graph, node);
        common.print(why, why.text());
        return Nescio.OK;
    }

    record Layer(String state, double amount, double share) {}

    record Compared(String node, @Nullable String trueClass, double distance) {}

    record Nearby(String node, String predicted, double epistemic) {}

    /** Everything about one node. */
    record Why(
            String node,
            String predicted,
            double probability,
            double aleatoric,
            double epistemic,
            double higherThanShareOfNodes,
            List<Layer> layers,
            List<Compared> nearestTraining,
            int neighbours,
            List<Nearby> mostUncertainNeighbours) {

        static Why of(Detector detector, Graph graph, int node) {
            Scores scores = detector.score(graph);
            Explanation explanation = detector.explain(graph, node);
            List<String> names = detector.forward(graph).states().stream()
                    .map(state -> state.name())
                    .toList();
            List<Layer> layers = explanation.contributions().stream()
                    .map(c -> new Layer(
                            c.state() < 0 ? "features" : names.get(c.state()),
                            c.amount(),
                            c.amount() / explanation.score()))
                    .toList();
            boolean sameGraph =
                    Fingerprint.of(graph).equals(detector.provenance().fingerprint());
            List<Compared> compared = explanation.neighbours().stream()
                    .map(n -> compared(graph, n, sameGraph))
                    .toList();
            long lower = 0;
            for (double other : scores.epistemic()) {
                lower += other < scores.epistemic()[node] ? 1 : 0;
            }
            return new Why(
                    graph.ids().name(node),
                    scores.predicted(node),
                    scores.prediction().probability()[node],
                    scores.aleatoric(node),
                    explanation.score(),
                    (double) lower / graph.nodes(),
                    layers,
                    compared,
                    graph.adjacency().degree(node),
                    nearby(scores, graph, node));
        }

        /** The numbers of training nodes mean something in the graph of the training only. */
        private static Compared compared(Graph graph, Explanation.Neighbour neighbour, boolean sameGraph) {
            if (!sameGraph) {
                return new Compared("training node number " + neighbour.node(), null, neighbour.distance());
            }
            int label = graph.label(neighbour.node());
            return new Compared(
                    graph.ids().name(neighbour.node()),
                    label < 0 ? null : graph.classes().get(label),
                    neighbour.distance());
        }

        private static List<Nearby> nearby(Scores scores, Graph graph, int node) {
            Adjacency adjacency = graph.adjacency();
            List<Nearby> nearby = new ArrayList<>();
            for (int e = adjacency.pointers()[node]; e < adjacency.pointers()[node + 1]; e++) {
                int u = adjacency.neighbours()[e];
                nearby.add(new Nearby(graph.ids().name(u), scores.predicted(u), scores.epistemic()[u]));
            }
            nearby.sort((a, b) -> Double.compare(b.epistemic, a.epistemic));
            return nearby.subList(0, Math.min(MOST_NEIGHBOURS, nearby.size()));
        }

        String text() {
            StringBuilder text = new StringBuilder();
            line(text, "node %s: predicted %s with probability %.3f", node, predicted, probability);
            line(
                    text,
                    "aleatoric %.4g, epistemic %.4g, higher than that of %.1f %% of all nodes",
                    aleatoric,
                    epistemic,
                    100 * higherThanShareOfNodes);
            line(text, "");
            line(text, "what each layer adds");
            for (Layer layer : layers) {
                line(
                        text,
                        "  %-6s %-" + BAR + "s %5.1f %%  %.4g",
                        layer.state,
                        "#".repeat((int) Math.round(BAR * layer.share)),
                        100 * layer.share,
                        layer.amount);
            }
            line(text, "");
            line(text, "the nearest training nodes");
            for (Compared c : nearestTraining) {
                line(
                        text,
                        "  %-24s distance %-10.4g %s",
                        c.node,
                        c.distance,
                        c.trueClass == null ? "" : "class " + c.trueClass);
            }
            line(text, "");
            line(
                    text,
                    "%d neighbours in the graph%s",
                    neighbours,
                    neighbours > MOST_NEIGHBOURS ? ", the most uncertain of them" : "");
            for (Nearby n : mostUncertainNeighbours) {
                line(text, "  %-24s epistemic %-9.4g predicted %s", n.node, n.epistemic, n.predicted);
            }
            return text.toString().stripTrailing();
        }

        private static void line(StringBuilder text, String format, Object... values) {
            text.append(String.format(Locale.ROOT, format, values).stripTrailing())
                    .append(System.lineSeparator());
        }
    }
}
