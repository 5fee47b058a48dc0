// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import dev.nescio.cli.flag.CommonFlags;
import dev.nescio.cli.flag.GraphFlags;
import dev.nescio.cli.flag.PathName;
import dev.nescio.cli.flag.ServeFlags;
import dev.nescio.cli.output.ExitCode;
import dev.nescio.cli.output.Signals;
import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.TrainingView;
import dev.nescio.graph.Graph;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.io.detector.EmbeddingDetectorFile;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.serve.Service;
import dev.nescio.serve.Source;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code nescio serve}. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description = {
            "Answer over HTTP about the nodes of a graph, with a page on which people look at flagged nodes and decide.",
            "Look up, score what is new, keep it, explain, review, and load a new detector without a restart."
        },
        footer = {
            "",
            "Examples:",
            "  nescio serve demo",
            "  nescio serve detector.nescio nodes.csv --edges edges.csv --store work",
            "  nescio serve detector.nescio nodes.csv --edges edges.csv --host 0.0.0.0 --token-file token.txt",
            "  nescio serve fitted.nescio --port 0"
        })
public final class ServeCommand implements Callable<Integer> {

    private static final String DEMO = "demo";

    @Parameters(
            index = "0",
            paramLabel = "DETECTOR",
            description = "What 'nescio train' or 'nescio fit' has saved, or demo for a built-in graph.")
    String model;

    @Parameters(index = "1", arity = "0..1", paramLabel = "GRAPH", description = GraphFlags.DESCRIPTION)
    @Nullable
    String graph;

    @Mixin
    ServeFlags flags;

    @Mixin
    GraphFlags graphs;

    @Mixin
    CommonFlags common;

    @Override
    public Integer call() throws InterruptedException {
        common.begin();
        try (Service service = Service.listen(flags.options(common.quiet))) {
            CountDownLatch end = new CountDownLatch(1);
            Signals.endAfter(() -> {
                service.close();
                end.countDown();
            });
            if (flags.isLogJson()) {
                common.notesTo(service::note);
            }
            Source source = source();
            service.serve(source);
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("address", service.address().toString());
            json.put("detector", source.name());
            common.print(json, "serving " + source.name() + " at " + service.address());
            if (flags.store() == null && source instanceof Source.OfGraph) {
                common.note(
                        "note: nothing is kept on disk: what is kept or decided ends with this process; --store DIR keeps it");
            }
            end.await();
        }
        return ExitCode.OK;
    }

    private Source source() {
        if (model.equals(DEMO) && graph == null) {
            return demo();
        }
        Path file = PathName.of(model);
        String name = String.valueOf(file.getFileName()).replaceFirst("\\.(nescio|zip)$", "");
        if (EmbeddingDetectorFile.is(file)) {
            return states(name, EmbeddingDetectorFile.read(file));
        }
        String place = graph;
        if (place == null) {
            throw new BadConfiguration(
                    "name the graph to serve: nescio serve " + model + " nodes.csv --edges edges.csv");
        }
        Detector detector = DetectorFile.read(file);
        Graph read = graphs.readLike(place, detector.schema(), common);
        return new Source.OfGraph(name, detector, read, schema -> graphs.readLike(place, schema, common));
    }

    private Source states(String name, EmbeddingDetectorFile.Saved saved) {
        if (saved.surprises() != null) {
            throw new BadConfiguration(model + " was fitted on a graph without labels, which cannot be served yet;"
                    + " nescio score and nescio explain take it");
        }
        if (graph != null) {
            throw new BadConfiguration(model + " was fitted on states: clients send them, so name no graph");
        }
        if (flags.store() != null) {
            throw new BadConfiguration(
                    "--store keeps what is said about a graph, and " + model + " was fitted on states");
        }
        return new Source.OfStates(name, saved.detector());
    }

    private Source demo() {
        Graph blocks = BuiltinGraphs.make(DemoCommand.GRAPH);
        DetectorOptions options = DetectorOptions.defaults().withLeftOut(Set.of(DemoCommand.UNSEEN_CLASS));
        Detector detector = TrainCommand.train(
                TrainingView.of(blocks, blocks.split("0"), options), options, common, TrainingListener.NONE);
        return new Source.OfGraph(DEMO, detector, blocks, schema -> blocks);
    }
}
