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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The morning of docs/serve.md: tables, a detector, a service, a decision, a better detector. */
class ServeCommandTest {

    private static final String[] GRAPH = {"shop/nodes.csv", "--edges", "shop/edges.csv"};
    private static final Path GUIDE = Path.of("..", "docs", "serve.md");

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

    /** A shop whose nodes have the columns and ids of docs/serve.md. */
    private void shop() throws IOException {
        StringBuilder nodes = new StringBuilder("id,age,country,kind\n");
        StringBuilder edges = new StringBuilder("from,to\n");
        for (int i = 0; i < 150; i++) {
            String kind = i % 3 == 0 ? "buyer" : "seller";
            nodes.append(i == 5 ? "2905" : "u" + i)
                    .append(',')
                    .append(i % 3 == 0 ? 20 + i % 11 : 50 + i % 13)
                    .append(i % 3 == 0 ? ",CH," : ",DE,")
                    .append(kind)
                    .append('\n');
            for (int j : new int[] {i + 3, i + 6, i + 7}) {
                if (i != 5 && j < 150 && j != 5) {
                    edges.append("u" + i + ",u" + j + "\n");
                }
            }
        }
        edges.append("2905,u8\n2905,u9\n");
        Files.createDirectories(folder.resolve("shop"));
        Files.writeString(folder.resolve(GRAPH[0]), nodes);
        Files.writeString(folder.resolve(GRAPH[2]), edges);
        Cli train = Cli.run(
                "train",
                path(GRAPH[0]),
                "--edges",
                path(GRAPH[2]),
                "--label",
                "kind",
                "--epochs",
                "10",
                "--out",
                path("first.nescio"));
        assertThat(train.exit()).as(train.err()).isZero();
    }

    /** Every command for curl and every program in Python of the guide is run as it stands there, but for the address. */
    @Test
    void theCommandsOfTheGuideWork() throws IOException, InterruptedException {
        shop();
        Files.writeString(folder.resolve("today.csv"), "id,age,country\nt1,33,CH\nt2,61,DE\n");
        Files.writeString(folder.resolve("today-edges.csv"), "from,to\nt1,u3\nt2,t1\n");
        List<String> blocks = blocks(Files.readString(GUIDE));
        String shell = blocks.stream()
                .filter(block -> block.startsWith("A=") || block.startsWith("curl"))
                .collect(Collectors.joining("\n"));
        String python = blocks.stream()
                .filter(block -> block.startsWith("import "))
                .findFirst()
                .orElseThrow();
        assertThat(shell.split("curl ")).as("commands in the guide").hasSizeGreaterThan(9);
        try (Served service = new Served()) {
            assertThat(run(
                            "sh",
                            "-e",
                            "-c",
                            "curl() { command curl --fail-with-body \"$@\"; echo; }\n" + service.here(shell)))
                    .contains("\"n1\"");
            assertThat(run("python3", "-c", service.here(python)).lines())
                    .allMatch(line -> line.split(" ").length == 3);
            assertThat(folder.resolve("scores.parquet")).isNotEmptyFile();
            assertThat(service.get("nodes?kept=true")).contains("\"n1\"", "\"t1\"", "\"t2\"");
        }
    }

    /** What is indented in a page: commands and programs. */
    private static List<String> blocks(String page) {
        List<String> blocks = new ArrayList<>();
        for (String block : page.split("\n\n(?! {4})")) {
            String code = block.lines()
                    .filter(line -> line.startsWith("    ") || line.isBlank())
                    .map(line -> line.isBlank() ? "" : line.substring(4))
                    .collect(Collectors.joining("\n"));
            if (!code.isBlank()) {
                blocks.add(code.strip());
            }
        }
        return blocks;
    }

    private String run(String... command) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            Assumptions.abort(command[0] + " is not there");
            throw e;
        }
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isZero();
        return out;
    }

    @Test
    void aTokenCertificatesAndALogForMachines() throws IOException, InterruptedException {
        shop();
        run(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=localhost",
                "-addext",
                "subjectAltName=IP:127.0.0.1",
                "-keyout",
                "key.pem",
                "-out",
                "cert.pem");
        Files.writeString(folder.resolve("token.txt"), "from-a-file-0123456789\n");
        List<String> tls = List.of("--tls-cert", "cert.pem", "--tls-key", "key.pem", "--log-json");
        List<String> withFile = new ArrayList<>(tls);
        withFile.addAll(List.of("--token-file", "token.txt"));
        for (String token : List.of("from-a-file-0123456789", "from-the-environment-0123")) {
            boolean isInFile = token.startsWith("from-a-file");
            try (Served service = new Served(
                    isInFile ? Map.of() : Map.of("NESCIO_TOKEN", token),
                    (isInFile ? withFile : tls).toArray(String[]::new))) {
                assertThat(service.address).startsWith("https://");
                String ask = service.address + "api/v1/overview";
                assertThat(run("curl", "-s", "--cacert", "cert.pem", ask)).contains("401");
                assertThat(run("curl", "-s", "--cacert", "cert.pem", "-H", "Authorization: Bearer " + token, ask))
                        .contains("\"scored\"");
            }
            List<String> answered = Files.readAllLines(folder.resolve("log")).stream()
                    .filter(line -> line.contains("\"answered\""))
                    .toList();
            assertThat(answered).hasSize(2);
            assertThat(answered.get(1))
                    .startsWith("{\"at\":")
                    .contains("\"status\":200")
                    .doesNotContain(token);
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
            this(Map.of());
        }

        Served(Map<String, String> environment, String... more) throws IOException {
            String[] command = {
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
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
                "work"
            };
            ProcessBuilder builder = new ProcessBuilder(and(command, more))
                    .directory(folder.toFile())
                    .redirectError(folder.resolve("log").toFile());
            builder.environment().putAll(environment);
            process = builder.start();
            BufferedReader out = process.inputReader();
            String line = out.readLine();
            assertThat(line)
                    .as(Files.readString(folder.resolve("log")))
                    .matches("serving first at https?://127\\.0\\.0\\.1:[0-9]+/");
            address = line.substring(line.indexOf("http"));
        }

        /** The same commands, sent here. */
        String here(String commands) {
            return commands.replace("http://127.0.0.1:8080/", address);
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
