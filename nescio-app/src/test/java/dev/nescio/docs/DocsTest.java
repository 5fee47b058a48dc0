// SPDX-License-Identifier: Apache-2.0
package dev.nescio.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.io.array.Npy;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.random.Rng;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs every command of the documentation in an empty folder, as a newcomer would. */
class DocsTest {

    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern SHELL = Pattern.compile("(?ms)^```sh\\n(.*?)^```(?:\\n\\n?```text\\n(.*?)^```)?");
    private static final Pattern PYTHON = Pattern.compile("(?ms)^```python\\n(.*?)^```");
    private static final int MINUTES = 10;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"tutorial.md", "how-to.md"})
    void commandsWork(String page) throws IOException, InterruptedException {
        launcher();
        embeddings();
        try (InputStream model = DocsTest.class.getResourceAsStream("model.onnx")) {
            Files.copy(model, folder.resolve("model.onnx"));
        }
        Matcher block = SHELL.matcher(Files.readString(DOCS.resolve(page)));
        int blocks = 0;
        while (block.find()) {
            String output = run("bash", "-euo", "pipefail", "-c", block.group(1));
            assertShown(block.group(2), output);
            blocks++;
        }
        assertThat(blocks).isGreaterThan(5);
    }

    /** Every line that a document shows is printed, but for the digits of numbers; an ellipsis stands for lines left out. */
    private static void assertShown(@Nullable String shown, String output) {
        List<String> printed = output.lines().map(DocsTest::withoutDigits).toList();
        if (shown != null) {
            assertThat(shown.lines().filter(line -> !line.strip().equals("…")).map(DocsTest::withoutDigits))
                    .allMatch(line -> printed.stream().anyMatch(line::equals), "is printed:\n" + output);
        }
    }

    private static String withoutDigits(String line) {
        return line.replaceAll("[0-9][0-9.,]*(e[-+]?[0-9]+)?", "#")
                .replaceAll("\\s+", " ")
                .replaceAll("-#", "#")
                .strip();
    }

    /** A file that stands for the launcher: the same program, without building it. */
    private void launcher() throws IOException {
        Path launcher = Files.writeString(
                folder.resolve("nescio"),
                "#!/bin/bash\nexec \"" + java() + "\" -Xmx1g -cp \"" + System.getProperty("java.class.path")
                        + "\" dev.nescio.cli.Nescio \"$@\"\n");
        assertThat(launcher.toFile().setExecutable(true)).isTrue();
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** What the snippet for Python saves, of a network that knows nothing. */
    private void embeddings() {
        Graph graph = BuiltinGraphs.make("blocks");
        Split split = graph.split("0");
        Rng rng = new Rng(1);
        for (int i = 0; i < 2; i++) {
            Npy.write(folder.resolve("z" + i + ".npy"), NdArray.of(random(graph.nodes(), 8, rng)));
        }
        Npy.write(folder.resolve("logits.npy"), NdArray.of(random(graph.nodes(), 5, rng)));
        boolean[] train = new boolean[graph.nodes()];
        boolean[] validation = new boolean[graph.nodes()];
        for (int v = 0; v < train.length; v++) {
            train[v] = split.train().contains(v);
            validation[v] = split.validation().contains(v);
        }
        Npy.write(folder.resolve("train.npy"), new NdArray.Booleans(new int[] {train.length}, train));
        Npy.write(folder.resolve("val.npy"), new NdArray.Booleans(new int[] {train.length}, validation));
    }

    private static DenseMatrix random(int rows, int columns, Rng rng) {
        float[] values = new float[rows * columns];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) rng.nextGaussian();
        }
        return DenseMatrix.of(rows, columns, values);
    }

    private String run(String... command) throws IOException, InterruptedException {
        Path log = folder.resolve("log");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).isTrue();
        String output = Files.readString(log, StandardCharsets.UTF_8);
        assertThat(process.exitValue())
                .as("%s%n%s", String.join(" ", command), output)
                .isZero();
        return output;
    }

    @Test
    void theSnippetForPythonSavesWhatFitReads() throws IOException, InterruptedException {
        String python = "/usr/bin/python3";
        assumeTrue(hasTorch(python), "there is no Python with torch and numpy here");
        Matcher snippet = PYTHON.matcher(Files.readString(DOCS.resolve("how-to.md")));
        assertThat(snippet.find()).isTrue();
        Files.writeString(folder.resolve("snippet.py"), """
                import torch
                from types import SimpleNamespace

                class Sum(torch.nn.Module):
                    def __init__(self, width_in, width_out):
                        super().__init__()
                        self.linear = torch.nn.Linear(width_in, width_out)

                    def forward(self, x, edges):
                        h = self.linear(x)
                        return h.index_add(0, edges[1], h[edges[0]])

                class Net(torch.nn.Module):
                    def __init__(self):
                        super().__init__()
                        self.convs = torch.nn.ModuleList([Sum(6, 8), Sum(8, 3)])

                    def forward(self, x, edges):
                        return self.convs[1](torch.relu(self.convs[0](x, edges)), edges)

                torch.manual_seed(0)
                model = Net()
                data = SimpleNamespace(x=torch.randn(60, 6), edge_index=torch.randint(0, 60, (2, 200)),
                                       train_mask=torch.arange(60) < 30, val_mask=(torch.arange(60) >= 30) & (torch.arange(60) < 50))
                """ + snippet.group(1));
        launcher();
        run(python, "snippet.py");
        run(
                "bash",
                "-c",
                "./nescio fit --states z0.npy,z1.npy --logits logits.npy --train train.npy --held-out val.npy --out own.nescio"
                        + " && ./nescio score own.nescio --states z0.npy,z1.npy --logits logits.npy --out own.csv");
        assertThat(Files.readAllLines(folder.resolve("own.csv"))).hasSize(61);
    }

    private static boolean hasTorch(String python) throws InterruptedException {
        try {
            return new ProcessBuilder(python, "-c", "import torch, numpy")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void examplesAndTheScriptRun() throws IOException, InterruptedException {
        launcher();
        embeddings();
        run("bash", "-c", "./nescio export 'builtin:blocks?nodes=300' --out .");
        Files.writeString(
                folder.resolve("nodes.csv"), "odd,,test" + ",40,-40".repeat(16) + "\n", StandardOpenOption.APPEND);
        String path = System.getProperty("java.class.path");
        Path script = DOCS.resolve("flag.java").toAbsolutePath().normalize();

        String flagged = run(java(), "-Xmx1g", "-cp", path, script.toString(), "nodes.csv", "edges.csv");
        assertThat(flagged.lines()).contains("odd");
        assertThat(run(java(), "-Xmx1g", "-cp", path, "dev.nescio.example.FlagUnusualNodes", "nodes.csv", "edges.csv")
                        .lines()
                        .map(line -> line.split(" ")[0]))
                .containsExactlyElementsOf(flagged.lines().toList());
        assertThat(run(
                        java(),
                        "-Xmx1g",
                        "-cp",
                        path,
                        "dev.nescio.example.ScoreNewNodes",
                        "nodes.csv",
                        "edges.csv",
                        "d.nescio"))
                .matches("(?s)new: predicted \\d, p-value [01]\\.\\d+\\R");
        assertThat(run(
                        java(),
                        "-Xmx1g",
                        "-cp",
                        path,
                        "dev.nescio.example.OwnEmbeddings",
                        "z0.npy",
                        "z1.npy",
                        "train.npy",
                        "val.npy"))
                .contains(" of 3000 nodes are flagged");
    }
}
