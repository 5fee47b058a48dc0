package dev.nescio.cli;

import dev.nescio.detector.StatesDetector;
import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.NodeSet;
import dev.nescio.io.ArrayFile;
import dev.nescio.io.DetectorFile;
import dev.nescio.io.StatesFile;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.uncertainty.Evidence;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code nescio fit}. */
@Command(
        name = "fit",
        mixinStandardHelpOptions = true,
        description = "Fit the uncertainty to a network that was trained elsewhere, by its hidden states.",
        footer = {
            "",
            "Without held-out nodes (--held-out) there are scores but no p-values and no decisions.",
            "",
            "Examples:",
            "  nescio fit --states z0.npy,z1.npy,z2.npy --logits logits.npy --train train.npy --held-out val.npy --out detector.nescio",
            "  nescio score detector.nescio --states z0.npy,z1.npy,z2.npy --logits logits.npy --out scores.csv"
        })
final class FitCommand implements Callable<Integer> {

    @Mixin
    StatesFlags given;

    @Option(
            names = "--train",
            paramLabel = "FILE",
            required = true,
            description = "The nodes that the network has learned from: a mask or numbers of nodes.")
    String train;

    @Option(
            names = "--held-out",
            paramLabel = "FILE",
            description =
                    "Ordinary nodes that it has not learned from, validation nodes as a rule: a mask or numbers of nodes.")
    @Nullable
    String heldOut;

    @Option(names = "--labels", paramLabel = "FILE", description = "Class numbers of all nodes, -1 where not known.")
    @Nullable
    String labels;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            required = true,
            description = "Where to save: a name ending in .nescio.")
    Path out;

    @Mixin
    DetectorFlags.Estimator estimator = new DetectorFlags.Estimator();

    @Mixin
    CommonOptions common;

    @Override
    public Integer call() {
        common.begin();
        DetectorFile.requireWritable(out);
        if (!given.areGiven()) {
            throw new BadConfiguration("--states must name the hidden states");
        }
        Evidence states = given.evidence();
        int nodes = states.nodes();
        int[] known = labels(nodes);
        int classes = Math.max(
                Arrays.stream(known).max().orElse(-1) + 1,
                states.logits() == null ? 0 : states.logits().columns());
        Evidence evidence = withLabels(states, known, classes).learnedFrom(ArrayFile.nodes(train, nodes));
        NodeSet ordinary = heldOut == null ? NodeSet.of() : ArrayFile.nodes(heldOut, nodes);
        NodeIds ids = given.nodeIds(nodes);
        StatesDetector detector = StatesDetector.fit(
                new StatesDetector.Data(evidence, ordinary, known, ids, String.join(", ", given.states)),
                estimator.names,
                estimator.jlde(List.of()),
                IntStream.range(0, classes).mapToObj(Integer::toString).toList());
        StatesFile.write(detector, null, out);
        report(detector, evidence);
        return Nescio.OK;
    }

    private int[] labels(int nodes) {
        if (labels == null) {
            int[] unknown = new int[nodes];
            Arrays.fill(unknown, Graph.UNLABELLED);
            return unknown;
        }
        int[] known = ArrayFile.numbers(labels);
        if (known.length != nodes) {
            throw new BadInput(labels + " has " + known.length + " labels, but the states have " + nodes + " rows");
        }
        for (int label : known) {
            if (label < Graph.UNLABELLED || label >= nodes) {
                throw new BadInput(labels + " holds label " + label + "; labels go from -1 (unknown) on");
            }
        }
        return known;
    }

    /** Some estimators ask a graph for labels. */
    private static Evidence withLabels(Evidence evidence, int[] labels, int classes) {
        Graph graph = evidence.graph();
        Graph.Builder builder =
                graph == null ? Graph.builder("states", Adjacency.empty(evidence.nodes())) : graph.with();
        boolean isNeeded = graph != null || Arrays.stream(labels).anyMatch(label -> label >= 0);
        return isNeeded ? evidence.on(builder.labels(labels, classes).build()) : evidence;
    }

    private void report(StatesDetector detector, Evidence evidence) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("detector", out.toString());
        json.put("nodes", evidence.nodes());
        json.put("training", evidence.training().size());
        json.put("heldOut", detector.assessor().calibration().nodes());
        json.put("widths", detector.widths());
        List<String> names = List.copyOf(detector.assessor().estimators().keySet());
        json.put("estimators", names);
        common.print(
                json,
                String.format(
                        Locale.ROOT,
                        "%s: %s fitted on %,d training nodes, %,d held-out nodes to compare with",
                        out,
                        String.join(", ", names),
                        evidence.training().size(),
                        detector.assessor().calibration().nodes()));
    }
}
