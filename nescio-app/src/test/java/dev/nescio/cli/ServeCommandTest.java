// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.io.detector.DetectorFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The morning of docs/serve.md: tables, a detector, a service, a decision, a better detector. */
class ServeCommandTest {

    private static final String[] GRAPH = {"shop/nodes.csv", "--edges", "shop/edges.csv"};

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void fromFlaggedNodesToBetterLabels() throws IOException, InterruptedException {
        assertThat(Cli.run("export", "builtin:blocks?nodes=300&features=6", "--out", path("shop"))
                        .exit())
                .isZero();
        String[] train = {"train", path(GRAPH[0]), "--edges", path(GRAPH[2]), "--label", "label", "--epochs", "5"};
        assertThat(Cli.run(and(train, "--out", path("first.nescio"))).exit()).isZero();
        assertThat(Cli.run(
                                "score",
                                path("first.nescio"),
                                path(GRAPH[0]),
                                "--edges",
                                path(GRAPH[2]),
                                "--out",
                                path("scores.csv"))
                        .exit())
                .isZero();
        try (Served service = new Served()) {
            assertThat(service.get("table?format=csv")).isEqualTo(Files.readString(folder.resolve("scores.csv")));
            service.send("PUT", "review/7", BodyPublishers.ofString("{\"label\": \"new\", \"by\": \"Ana\"}"));
        }
        try (Served again = new Served()) {
            Files.writeString(folder.resolve("labels.csv"), again.get("review/labels.csv"));
            assertThat(Cli.run(and(train, "--labels", path("labels.csv"), "--out", path("better.nescio")))
                            .exit())
                    .isZero();
            assertThat(DetectorFile.read(folder.resolve("better.nescio")).classes())
                    .contains("new");
            String changed =
                    again.send("POST", "detector?name=better", BodyPublishers.ofFile(folder.resolve("better.nescio")));
            assertThat(changed).contains("\"better\"");
            assertThat(again.get("overview")).contains("\"new\"");
        }
    }

    @Test
    void refusesWhatCannotBeServed() throws IOException {
        Path nonsense = Files.writeString(folder.resolve("nonsense.nescio"), "nonsense");
        for (List<String> wrong : List.of(
                List.of("serve", nonsense.toString(), "nodes.csv"),
                List.of("serve", path("missing.nescio"), "nodes.csv"),
                List.of("serve", nonsense.toString()),
                List.of("serve", "demo", "--port", "70000"),
                List.of("serve", "demo", "--host", "0.0.0.0"))) {
            Cli refused = Cli.run(wrong.toArray(String[]::new));
            assertThat(refused.exit()).as(wrong + ": " + refused.err()).isEqualTo(2);
            assertThat(refused.err()).doesNotContain("\tat ");
        }
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private static String[] and(String[] arguments, String... more) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    /** The service in a process of its own, until it is told to stop. */
    private final class Served implements AutoCloseable {

        private final Process process;
        private final String address;

        Served() throws IOException {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            "dev.nescio.cli.Nescio",
                            "serve",
                            "first.nescio",
                            GRAPH[0],
                            GRAPH[1],
                            GRAPH[2],
                            "--port",
                            "0",
                            "--store",
                            "work")
                    .directory(folder.toFile())
                    .redirectError(folder.resolve("log").toFile())
                    .start();
            BufferedReader out = process.inputReader();
            String line = out.readLine();
            assertThat(line)
                    .as(Files.readString(folder.resolve("log")))
                    .startsWith("serving first at http://127.0.0.1:");
            address = line.substring(line.indexOf("http"));
        }

        String get(String path) throws IOException, InterruptedException {
            return send("GET", path, BodyPublishers.noBody());
        }

        String send(String method, String path, HttpRequest.BodyPublisher body)
                throws IOException, InterruptedException {
            var answer = client.send(
                    HttpRequest.newBuilder(URI.create(address).resolve("/api/v1/" + path))
                            .method(method, body)
                            .header("Content-Type", "application/json")
                            .build(),
                    BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            return answer.body();
        }

        @Override
        public void close() throws IOException, InterruptedException {
            process.destroy();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue())
                    .as(Files.readString(folder.resolve("log")))
                    .isIn(0, 143);
        }
    }
}
