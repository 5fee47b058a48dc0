// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Detectors and reports are passed on: they do not say where on a machine they were made. */
class NoPlacesTest {

    @TempDir
    Path folder;

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private static String rows(String header, IntStream rows, String format) {
        return rows.mapToObj(i -> String.format(format, i, i % 7, i % 5, i % 2, (i + 1) % 60))
                .collect(Collectors.joining("\n", header + "\n", "\n"));
    }

    private static void run(String... arguments) {
        Cli cli = Cli.run(arguments);
        assertThat(cli.exit()).as(cli.err()).isZero();
    }

    @Test
    void nothingSaysWhereItWasMade() throws IOException {
        String nodes = file("nodes.csv", rows("id,x,y,label", IntStream.range(0, 60), "n%1$d,%2$d,%3$d,c%4$d"));
        String edges = file("edges.csv", rows("from,to", IntStream.range(0, 60), "n%1$d,n%5$d"));
        String states = file("states.csv", rows("a,b", IntStream.range(0, 60), "%2$d,%3$d"));
        String train = file("train.csv", rows("node", IntStream.range(0, 30), "%1$d"));
        String yaml = file("study.yaml", """
                hidden: 4
                epochs: 3
                shifts: [clean, far]
                data: ["builtin:blocks?nodes=60&features=4"]
                models:
                  - {name: res-gcn, estimators: [jlde]}
                """);
        Path made = Files.createDirectory(folder.resolve("made"));
        String trained = made.resolve("trained").toString();
        run("train", nodes, "--edges", edges, "--epochs", "2", "--hidden", "4", "--out", trained);
        run(
                "explain",
                trained,
                nodes,
                "--edges",
                edges,
                "--node",
                "n7",
                "--out",
                made.resolve("why.html").toString());
        run(
                "score",
                trained,
                nodes,
                "--edges",
                edges,
                "--out",
                made.resolve("scores.json").toString());
        run("fit", nodes, "--edges", edges, "--out", made.resolve("unlabelled").toString());
        run(
                "fit",
                "--states",
                states,
                "--train",
                train,
                "--k",
                "3",
                "--out",
                made.resolve("fitted").toString());
        run("pack", nodes, "--edges", edges, "--out", made.resolve("packed.npk").toString());
        String study = made.resolve("study").toString();
        run("study", "run", yaml, "--out", study);
        run("report", study);

        try (Stream<Path> files = Files.walk(made)) {
            List<Path> all = files.filter(Files::isRegularFile).toList();
            assertThat(all).hasSizeGreaterThan(20);
            for (Path file : all) {
                assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain(folder.toString());
            }
        }
    }
}
