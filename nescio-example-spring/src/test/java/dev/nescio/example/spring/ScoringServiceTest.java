// SPDX-License-Identifier: Apache-2.0
package dev.nescio.example.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.Graph;
import dev.nescio.graph.split.SplitRules;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.io.graph.TableGraph;
import dev.nescio.io.graph.TableLayout;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The example as somebody would run it: tables, a detector, requests. */
class ScoringServiceTest {

    private static final int NODES = 200;

    @TempDir
    static Path folder;

    private static ConfigurableApplicationContext service;
    private static double epistemicOfSeven;

    @BeforeAll
    static void start() throws IOException {
        Rng rng = new Seed(1).rng();
        List<String> nodes = new ArrayList<>(List.of("id,kind,age,country"));
        List<String> edges = new ArrayList<>(List.of("from,to"));
        for (int i = 0; i < NODES; i++) {
            boolean isBuyer = i % 2 == 0;
            nodes.add("u" + i + "," + (isBuyer ? "buyer" : "seller") + ","
                    + (int) ((isBuyer ? 30 : 50) + 8 * rng.nextGaussian()) + "," + (i % 3 == 0 ? "CH" : "İstanbul"));
            edges.add("u" + i + ",u" + (i + 1) % NODES);
            edges.add("u" + i + ",u" + (i + 7) % NODES);
        }
        Path nodeTable = Files.write(folder.resolve("nodes.csv"), nodes);
        Path edgeTable = Files.write(folder.resolve("edges.csv"), edges);
        Graph graph = TableGraph.read(
                nodeTable,
                edgeTable,
                TableLayout.defaults().with().label("kind").build());
        Detector detector = Detector.train(
                graph,
                SplitRules.first(graph),
                DetectorOptions.defaults().with(TrainingOptions.EPOCHS, 20),
                TrainingListener.NONE);
        epistemicOfSeven = detector.score(graph, "u7").epistemic();
        Path file = folder.resolve("detector.nescio");
        DetectorFile.write(detector, file);
        service = SpringApplication.run(
                ScoringService.class,
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--detector=" + file,
                "--nodes=" + nodeTable,
                "--edges=" + edgeTable);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static HttpResponse<String> send(String path, String body) throws IOException, InterruptedException {
        String port = service.getEnvironment().getProperty("local.server.port");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body));
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void answersForANodeOfTheTables() throws Exception {
        HttpResponse<String> answer = send("/nodes/u7", "");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("\"id\":\"u7\"", "\"epistemic\":" + epistemicOfSeven);
    }

    @Test
    void answersForANewNode() throws Exception {
        HttpResponse<String> answer = send(
                "/nodes",
                "{\"id\":\"new\",\"columns\":{\"age\":31,\"country\":\"CH\"},\"neighbours\":[\"u12\",\"u13\"]}");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("\"id\":\"new\"", "\"role\":\"NEW\"", "\"buyer\":");
    }

    @Test
    void saysWhatIsWrong() throws Exception {
        assertThat(send("/nodes/nobody", "").statusCode()).isEqualTo(422);
        assertThat(send("/nodes/nobody", "").body()).contains("nodes has no node 'nobody'");
        assertThat(send("/nodes", "{\"id\":\"new\",\"columns\":{\"age\":31},\"neighbours\":[\"x\"]}")
                        .body())
                .contains("an edge names node 'x', which does not exist");
    }
}
