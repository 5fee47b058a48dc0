// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import dev.nescio.cli.flag.CommonFlags;
import dev.nescio.cli.flag.EstimatorFlags;
import dev.nescio.cli.flag.GraphFlags;
import dev.nescio.cli.flag.SplitChoice;
import dev.nescio.cli.flag.StatesFlags;
import dev.nescio.cli.output.ExitCode;
import dev.nescio.detector.EmbeddingDetector;
import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.io.array.ArrayFile;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.io.detector.EmbeddingDetectorFile;
import dev.nescio.io.detector.StateSource;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.surprise.Surprises;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.Need;
import dev.nescio.uncertainty.estimator.Estimators;
import java.nio.file.Files;
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
import picocli.CommandLine.Parameters;

/** {@code nescio fit}. */
@Command(
        name = "fit",
        mixinStandardHelpOptions = true,
        description =
                "Fit a detector without training on labels: to a graph alone, or to a model trained elsewhere, from its hidden"
                        + " states (--states) or by running it on a graph (--onnx).",
        footer = {
            "",
            "A graph alone needs no labels. The epistemic score of a node then adds up how rare it is by its features, by its place in"
                    + " the graph, by how it fits its surroundings, and by its edges; 'nescio explain' shows the four parts.",
            "",
            "With --states or --onnx, and without held-out nodes (--held-out), there are scores but no p-values and no decisions.",
            "",
            "Examples:",
            "  nescio fit nodes.csv --edges edges.csv --out detector.nescio",
            "  nescio score detector.nescio nodes.csv --edges edges.csv --alpha 0.01 --out scores.csv",
            "  nescio fit --states z0.npy,z1.npy,z2.npy --logits logits.npy --train train.npy --held-out val.npy --out detector.nescio",
            "  nescio score detector.nescio --states z0.npy,z1.npy,z2.npy --logits logits.npy --out scores.csv",
            "  nescio fit nodes.csv --edges edges.csv --onnx model.onnx --out detector.nescio",
            "  nescio score detector.nescio nodes.csv --edges edges.csv --out scores.csv"
        })
public final class FitCommand implements Callable<Integer> {

    @Parameters(arity = "0..1", paramLabel = "GRAPH", description = GraphFlags.DESCRIPTION)
    @Nullable
    String source;

    @Mixin
    StatesFlags given;

    @Option(
            names = "--train",
            paramLabel = "FILE",
            description = "Training nodes of the model: a mask or node numbers.")
    @Nullable
    String train;

    @Option(
            names = "--held-out",
            paramLabel = "FILE",
            description =
                    "Ordinary nodes that were not used for training, usually validation nodes: a mask or node numbers.")
    @Nullable
    String heldOut;

    @Option(names = "--labels", paramLabel = "FILE", description = "Class numbers of all nodes, -1 where unknown.")
    @Nullable
    String labels;

    @Option(
            names = "--onnx",
            paramLabel = "FILE",
            description =
                    "A model that takes features (float, [nodes, features]) and edges (int64, [2, edges]) and returns its"
                            + " hidden states, and the logits as the output named logits.")
    @Nullable
    Path onnx;

    @Option(names = "--split", paramLabel = "NAME", description = "Split of the graph that --onnx was trained on.")
    @Nullable
    String split;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "0",
            description = "Seed of what a graph alone teaches (default ${DEFAULT-VALUE}).")
    long seed;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            required = true,
            description = "Where to save: a name ending in .nescio.")
    Path out;

    @Mixin
    EstimatorFlags estimators;

    @Mixin
    GraphFlags graphs;

    @Mixin
    CommonFlags common;

    @Override
    public Integer call() {
        common.begin();
        DetectorFile.requireWritable(out);
        if (given.areGiven() && (onnx != null || source != null)) {
            throw new BadConfiguration("name either the hidden states (--states) or a graph, with or without --onnx");
        }
        if (!given.areGiven() && source == null) {
            throw new BadConfiguration("name a graph to learn from, or the hidden states of another model (--states)");
        }
        if (source != null && onnx == null) {
            EmbeddingDetectorFile.Saved saved = fitUnlabelled(source);
            EmbeddingDetectorFile.write(saved, out);
            report(saved.detector());
            return ExitCode.OK;
        }
        if (onnx == null
                && given.links == null
                && estimators.specs().stream().anyMatch(spec -> spec.needs(Need.EDGES))) {
            throw new BadConfiguration(estimators.names + " need edges: --links names them");
        }
        EmbeddingDetectorFile.Saved saved = onnx == null ? fitStates() : fitOnnx(onnx);
        EmbeddingDetectorFile.write(saved, out);
        report(saved.detector());
        return ExitCode.OK;
    }

    private EmbeddingDetectorFile.Saved fitStates() {
        if (train == null) {
            throw new BadConfiguration("--train must name the nodes that the model was trained on");
        }
        Evidence states = given.evidence();
        int nodes = states.nodes();
        int[] known = labels(nodes);
        DenseMatrix logits = states.logits();
        int classes = logits == null ? Arrays.stream(known).max().orElse(-1) + 1 : logits.columns();
        for (int v = 0; v < nodes; v++) {
            // Classes that the network does not know are those that it was not trained on.
            known[v] = known[v] < classes ? known[v] : Graph.UNLABELLED;
        }
        Evidence evidence = withLabels(states, known, classes).learnedFrom(ArrayFile.nodes(train, nodes));
        NodeSet ordinary = heldOut == null ? NodeSet.of() : ArrayFile.nodes(heldOut, nodes);
        return new EmbeddingDetectorFile.Saved(
                fit(
                        new EmbeddingDetector.Data(evidence, ordinary, known, given.nodeIds(nodes), given.names()),
                        IntStream.range(0, classes).mapToObj(Integer::toString).toList()),
                null,
                null,
                null);
    }

    /** Every node teaches, and every node tells what is ordinary: none is judged by a network that has learned from it. */
    private EmbeddingDetectorFile.Saved fitUnlabelled(String name) {
        if (train != null || heldOut != null || labels != null || split != null) {
            throw new BadConfiguration(
                    "--train, --held-out, --labels and --split go with --states or --onnx; a graph alone is learned as a whole");
        }
        if (!estimators.areStandard()) {
            throw new BadConfiguration(
                    "estimators go with --states or --onnx; a graph alone has a score of its own, and 'nescio train' uses labels");
        }
        Graph graph = graphs.read(name, common);
        if (!graph.classes().isEmpty()) {
            common.note("note: the labels of " + graph.name() + " are not used; 'nescio train' uses them");
        }
        Surprises surprises = Surprises.fit(graph, seed);
        EmbeddingDetector.Data data = new EmbeddingDetector.Data(
                surprises.of(graph), NodeSet.all(graph.nodes()), graph.labels(), graph.ids(), graph.name());
        EmbeddingDetector detector = EmbeddingDetector.fit(data, List.of(Estimators.surprise()), List.of());
        return new EmbeddingDetectorFile.Saved(detector, null, surprises, graph.schema());
    }

    private EmbeddingDetectorFile.Saved fitOnnx(Path model) {
        if (source == null) {
            throw new BadConfiguration("--onnx needs a graph to run on");
        }
        if (!Files.isRegularFile(model)) {
            throw new BadInput(model + " does not exist or is not a file");
        }
        StateSource network = StateSource.of("onnx");
        byte[] bytes = network.load(model);
        Graph graph = graphs.read(source, common);
        Split chosen = learnedFrom(graph);
        Evidence evidence = network.run(bytes, model.toString(), graph).learnedFrom(chosen.train());
        if (evidence.logits() != null
                && evidence.logits().columns() != graph.classes().size()) {
            throw new BadInput(model + " has " + evidence.logits().columns() + " logits, but " + source + " has "
                    + graph.classes().size() + " classes");
        }
        EmbeddingDetector.Data data = new EmbeddingDetector.Data(
                evidence,
                chosen.validation(),
                graph.labels(),
                graph.ids(),
                model.getFileName() + " on " + graph.name());
        return new EmbeddingDetectorFile.Saved(fit(data, graph.classes()), bytes, null, graph.schema());
    }

    /** Nobody but the user knows what a model has learned from: nothing is drawn by chance. */
    private Split learnedFrom(Graph graph) {
        if (labels != null) {
            throw new BadConfiguration("--labels can only be used with --states; a graph has its own labels");
        }
        if (train != null) {
            return new Split(
                    "given",
                    ArrayFile.nodes(train, graph.nodes()),
                    heldOut == null ? NodeSet.of() : ArrayFile.nodes(heldOut, graph.nodes()),
                    NodeSet.of());
        }
        if (graph.splits().isEmpty() && split == null) {
            throw new BadConfiguration("it is unknown which nodes " + onnx + " was trained on: " + source
                    + " has no split; name one with --split, or the nodes with --train and --held-out");
        }
        return SplitChoice.of(graph, split, common::note);
    }

    private EmbeddingDetector fit(EmbeddingDetector.Data data, List<String> classes) {
        return EmbeddingDetector.fit(data, estimators.specs(), classes);
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

    private void report(EmbeddingDetector detector) {
        List<String> names = List.copyOf(detector.estimators().byLabel().keySet());
        int training = detector.nodes().training().size();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("detector", out.toString());
        json.put("training", training);
        json.put("heldOut", detector.estimators().calibration().nodes());
        json.put("widths", detector.widths());
        json.put("estimators", names);
        common.print(
                json,
                String.format(
                        Locale.ROOT,
                        training == 0
                                ? "%s: %s fitted to %4$,d nodes, which also tell what is ordinary"
                                : "%s: %s fitted; nodes are compared with %,d training nodes, thresholds come from %,d held-out ones",
                        out,
                        String.join(", ", names),
                        training,
                        detector.estimators().calibration().nodes()));
    }
}
