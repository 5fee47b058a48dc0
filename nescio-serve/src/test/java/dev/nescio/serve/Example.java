// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.TableSchema;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.training.TrainingListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** A small graph with columns and awkward ids, and detectors for it; made once. */
final class Example {

    /** Ids that a careless service would take for a path, for markup or for nothing. */
    static final List<String> AWKWARD = List.of(
            "a/b",
            "../../etc/passwd",
            "<script>alert(1)</script>",
            "\"quoted\"",
            "🦉",
            "ארז",
            "50%",
            "a b",
            "a+b",
            "?x=1#y",
            "\"quoted\" 'id'",
            "😀 emoji",
            "حساب ١٢٣ مشبوه",
            "a/b/c?d=e#f&g",
            "<img src=x onerror=alert(1)>",
            "x".repeat(1000));

    static final Graph GRAPH = plainGraph();

    /** Trained when it is first needed. */
    private static final class Trained {
        // With this seed more than ten nodes are flagged: enough to review.
        static final Detector DETECTOR = train(3);
    }

    private Example() {}

    static Detector detector() {
        return Trained.DETECTOR;
    }

    static Graph plainGraph() {
        Graph plain = BuiltinGraphs.make("blocks?nodes=400");
        List<TableSchema.Column> columns = IntStream.range(0, plain.features().columns())
                .mapToObj(f -> new TableSchema.Column(
                        "f" + f, TableSchema.Kind.NUMBERS, List.of(new TableSchema.Scale(0, 1, 0)), List.of()))
                .toList();
        List<String> ids = new ArrayList<>(AWKWARD);
        IntStream.range(AWKWARD.size(), plain.nodes()).forEach(i -> ids.add("n" + i));
        return plain.with()
                .schema(new TableSchema("id", "label", "from", "to", false, columns))
                .ids(NodeIds.named(ids))
                .build();
    }

    static Detector train(long seed) {
        DetectorOptions options = DetectorOptions.defaults()
                .with(ModelOptions.HIDDEN, 16)
                .withTraining(TrainingOptions.of(0.01, 0, 25, 25, seed))
                .withLeftOut(Set.of(4))
                .withEstimators("jlde", "ebm");
        return Detector.train(GRAPH, GRAPH.split("0"), options, TrainingListener.NONE);
    }

    static Source source() {
        return new Source.OfGraph("example", detector(), GRAPH, schema -> GRAPH);
    }

    static ServeOptions options() {
        return ServeOptions.defaults().withPort(0).withLog(false, true);
    }

    static Service start(ServeOptions options) {
        return start(options, source());
    }

    static Service start(ServeOptions options, Source source) {
        Service service = Service.listen(options);
        service.serve(source);
        return service;
    }

    /** All kept batches, when every drift is known. */
    static JsonNode knownDrift(Client client) {
        for (int i = 0; i < 1200; i++) {
            JsonNode batches = client.get("/api/v1/batches").get("batches");
            boolean isKnown = true;
            for (JsonNode batch : batches) {
                isKnown &= !batch.get("drift").get("pending").booleanValue();
            }
            if (isKnown) {
                return batches;
            }
            pause(50);
        }
        throw new AssertionError("drift is not known after a minute");
    }

    static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    static float[] row(int node) {
        float[] row = new float[GRAPH.features().columns()];
        for (int f = 0; f < row.length; f++) {
            row[f] = GRAPH.features().get(node, f);
        }
        return row;
    }
}
