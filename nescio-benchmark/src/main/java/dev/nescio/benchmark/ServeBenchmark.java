// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.serve.ServeOptions;
import dev.nescio.serve.Service;
import dev.nescio.serve.Source;
import dev.nescio.tensor.Engine;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** A service on a large graph under load, with the load generator on the same cores. */
@CommandLine.Command(name = "serve", mixinStandardHelpOptions = true)
final class ServeBenchmark implements Callable<Integer> {

    @Option(names = "--nodes", defaultValue = "1000000")
    int nodes;

    @Option(names = "--edges", defaultValue = "10000000")
    int edges;

    @Option(names = "--features", defaultValue = "64")
    int features;

    @Option(names = "--hidden", defaultValue = "32")
    int hidden;

    @Option(names = "--connections", defaultValue = "32")
    int connections;

    @Option(
            names = "--scorers",
            defaultValue = "1,32",
            split = ",",
            description = "Connections that score new nodes, each number in a phase of its own.")
    List<Integer> scorers = List.of();

    @Option(names = "--quiet", description = "Log failures alone; otherwise every request, as the service does.")
    boolean quiet;

    @Option(names = "--seconds", defaultValue = "60")
    int seconds;

    @Option(names = "--requests", defaultValue = "100000", description = "Requests over which memory is watched.")
    int requests;

    /** One request, by its number. */
    private interface Request {
        int send(Connection connection, Random random) throws IOException;
    }

    /** What a phase measured. */
    private record Phase(double perSecond, double p50, double p99, int refused, int failed) {

        String json(String name) {
            return String.format(
                    Locale.ROOT,
                    "\"%s_per_s\": %.0f, \"%s_p50_ms\": %.2f, \"%s_p99_ms\": %.2f, \"%s_429\": %d, \"%s_failed\": %d",
                    name,
                    perSecond,
                    name,
                    p50,
                    name,
                    p99,
                    name,
                    refused,
                    name,
                    failed);
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Engine.useThreads(2);
        Graph graph = RandomGraph.make(nodes, edges, features, 5);
        Split split = new Split(
                "few",
                NodeSet.where(nodes, v -> v % 200 == 0),
                NodeSet.where(nodes, v -> v % 200 == 1),
                NodeSet.where(nodes, v -> v % 200 > 1));
        Detector detector = Detector.train(
                graph,
                split,
                DetectorOptions.defaults()
                        .withModel(ModelOptions.of(hidden, 2, 0.5, 1))
                        .withTraining(TrainingOptions.of(0.01, 1e-4, 2, 2, 0)),
                TrainingListener.NONE);
        ServeOptions options = ServeOptions.defaults()
                .withPort(0)
                .withLog(false, quiet)
                .withLimits(connections + 8, Duration.ofSeconds(30), 32 << 20);
        try (Service service = Service.listen(options)) {
            service.serve(new Source.OfGraph("benchmark", detector, graph, schema -> graph));
            URI address = service.address();
            Request lookUp =
                    (connection, random) -> connection.ask("GET", "/api/v1/nodes/" + random.nextInt(nodes), "");
            Request score = (connection, random) -> connection.ask("POST", "/api/v1/score", body(random));
            phase(address, lookUp, connections, Math.max(2, seconds / 6));
            phase(address, score, 1, Math.max(2, seconds / 6));
            Phase lookUps = phase(address, lookUp, connections, seconds);
            List<String> scored = new ArrayList<>();
            for (int count : scorers) {
                scored.add(phase(address, score, count, seconds).json("new_node_from_" + count));
            }
            scored.add(besideLookUps(address, lookUp, score));
            long before = usedMebibytes();
            AtomicInteger left = new AtomicInteger(requests);
            Phase mixed = phase(
                    address,
                    (connection, random) -> left.decrementAndGet() < 0
                            ? -1
                            : either(lookUp, score).send(connection, random),
                    connections,
                    3600);
            long after = usedMebibytes();
            Phase twice = phase(address, either(lookUp, score), 2 * (connections + 8), seconds);
            System.out.printf(
                    Locale.ROOT,
                    "{\"nodes\": %d, \"directed_edges\": %d, \"connections\": %d, %s, %s, %s, %s, \"heap_before_mib\": %d, \"heap_after_mib\": %d,"
                            + " \"peak_mib\": %d}%n",
                    nodes,
                    graph.adjacency().edges(),
                    connections,
                    lookUps.json("lookups"),
                    String.join(", ", scored),
                    mixed.json("mixed"),
                    twice.json("twice"),
                    before,
                    after,
                    Measure.peakMebibytes());
        }
        return 0;
    }

    /** One connection scores new nodes while all others look nodes up; both are reported apart. */
    private String besideLookUps(URI address, Request lookUp, Request score) throws InterruptedException {
        List<Phase> looked = new ArrayList<>();
        Thread others = new Thread(() -> {
            try {
                looked.add(phase(address, lookUp, connections - 1, seconds));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        others.start();
        Phase scored = phase(address, score, 1, seconds);
        others.join();
        return scored.json("new_node_beside_lookups") + ", " + looked.get(0).json("lookups_beside_new_node");
    }

    /** Of many look-ups, now and then a node is scored. */
    private static Request either(Request often, Request seldom) {
        return (connection, random) -> (random.nextInt(20) == 0 ? seldom : often).send(connection, random);
    }

    private String body(Random random) {
        StringBuilder text = new StringBuilder("{\"nodes\":[{\"id\":\"new\",\"features\":[");
        for (int f = 0; f < features; f++) {
            text.append(f == 0 ? "" : ",").append((float) random.nextGaussian());
        }
        text.append("]}],\"edges\":[");
        for (int e = 0; e < 10; e++) {
            text.append(e == 0 ? "" : ",")
                    .append("[\"new\",\"")
                    .append(random.nextInt(nodes))
                    .append("\"]");
        }
        return text.append("]}").toString();
    }

    private static Phase phase(URI address, Request request, int connections, int seconds) throws InterruptedException {
        long begin = System.nanoTime();
        long end = begin + seconds * 1_000_000_000L;
        List<List<Double>> times = new ArrayList<>();
        AtomicInteger refused = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        AtomicLong last = new AtomicLong(begin);
        List<Thread> threads = new ArrayList<>();
        for (int c = 0; c < connections; c++) {
            List<Double> own = new ArrayList<>();
            times.add(own);
            Random random = new Random(c);
            Thread thread = new Thread(() -> {
                try (Connection connection = new Connection(address)) {
                    while (System.nanoTime() < end) {
                        long start = System.nanoTime();
                        int status = request.send(connection, random);
                        if (status < 0) {
                            break;
                        }
                        if (status == 200) {
                            own.add((System.nanoTime() - start) / 1e6);
                        } else if (status == 429) {
                            refused.incrementAndGet();
                            Thread.sleep(20);
                        } else {
                            failed.incrementAndGet();
                        }
                    }
                    last.accumulateAndGet(System.nanoTime(), Math::max);
                } catch (IOException e) {
                    failed.incrementAndGet();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        double[] all = times.stream()
                .flatMap(List::stream)
                .mapToDouble(v -> v)
                .sorted()
                .toArray();
        double taken = (last.get() - begin) / 1e9;
        return new Phase(
                all.length / taken,
                all.length == 0 ? Double.NaN : all[all.length / 2],
                all.length == 0 ? Double.NaN : all[Math.min(all.length - 1, (int) (0.99 * all.length))],
                refused.get(),
                failed.get());
    }

    private static long usedMebibytes() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            System.gc();
            Thread.sleep(200);
        }
        Runtime runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) >> 20;
    }
}
