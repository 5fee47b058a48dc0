// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two tables without any label: scores, thresholds, explanations. */
class UnlabelledTest {

    @TempDir
    Path folder;

    private String nodes;
    private String edges;
    private String detector;

    @BeforeEach
    void tables() throws IOException {
        Rng rng = new Seed(2).rng();
        List<String> rows = new ArrayList<>(List.of("konto;betrag;land"));
        List<String> pairs = new ArrayList<>(List.of("from;to"));
        for (int i = 0; i < 300; i++) {
            rows.add("\"k„" + i + "\";" + (i == 17 ? 9000 : Math.round(100 + 20 * rng.nextGaussian())) + ";"
                    + (i % 2 == 0 ? "Österreich" : "日本"));
            pairs.add("k„" + i + ";k„" + (i + 1 + rng.nextInt(20)) % 300);
            pairs.add("k„" + i + ";k„" + (i + 1 + rng.nextInt(20)) % 300);
        }
        nodes = Files.write(folder.resolve("nodes.csv"), rows).toString();
        edges = Files.write(folder.resolve("edges.csv"), pairs).toString();
        detector = folder.resolve("d.nescio").toString();
    }

    @Test
    void fitScoreExplain() throws IOException {
        Cli fitted = Cli.run("fit", nodes, "--edges", edges, "--out", detector);
        assertThat(fitted.exit()).isZero();
        assertThat(fitted.out()).contains("surprise fitted to 300 nodes, which also tell what is ordinary");

        Path scores = folder.resolve("scores.csv");
        assertThat(Cli.run("score", detector, nodes, "--edges", edges, "--alpha", "0.05", "--out", scores.toString())
                        .exit())
                .isZero();
        assertThat(Files.readAllLines(scores).get(0)).isEqualTo("node,role,epistemic,p_value,flagged");
        assertThat(Files.readAllLines(scores))
                .hasSize(301)
                .anyMatch(line -> line.startsWith("k„17,held-out,") && line.endsWith("true"));

        Cli why = Cli.run("explain", detector, nodes, "--edges", edges, "--node", "k„17");
        assertThat(why.out())
                .contains("Node k„17 is unusual", "betrag stands out (9000", "place in the graph", "edges");
    }

    @Test
    void sameSeedSameBytes() throws IOException {
        Cli.run("fit", nodes, "--edges", edges, "--out", detector);
        String again = folder.resolve("again.nescio").toString();
        Cli.run("fit", nodes, "--edges", edges, "--out", again, "--threads", "1");
        assertThat(Path.of(again)).hasSameBinaryContentAs(Path.of(detector));
    }

    @Test
    void saysWhatDoesNotGoTogether() {
        assertThat(Cli.run("fit", nodes, "--edges", edges, "--out", detector, "--split", "0")
                        .err())
                .contains("--split go with --states or --onnx");
        assertThat(Cli.run("fit", nodes, "--edges", edges, "--out", detector, "--estimator", "ebm")
                        .err())
                .contains("estimators go with --states or --onnx");
        assertThat(Cli.run("fit", "--out", detector).err()).contains("name a graph to learn from");
        Cli.run("fit", nodes, "--edges", edges, "--out", detector);
        Cli watched = Cli.run("watch", detector, nodes, "--edges", edges);
        assertThat(watched.exit()).isEqualTo(2);
        assertThat(watched.err()).contains("was fitted without labels; use it with 'nescio score'");
    }
}
