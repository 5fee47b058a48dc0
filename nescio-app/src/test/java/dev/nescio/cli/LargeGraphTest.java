// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Graphs that do not fit into memory, as a user scores them. */
class LargeGraphTest {

    @TempDir
    Path folder;

    private String at(String name) {
        return folder.resolve(name).toString();
    }

    private void tables() {
        assertThat(Cli.run("export", "builtin:blocks?nodes=800", "--out", at("shop"))
                        .exit())
                .isZero();
        assertThat(Cli.run("train", nodes(), "--edges", edges(), "--epochs", "20", "--out", at("d.nescio"))
                        .exit())
                .isZero();
    }

    private String nodes() {
        return at("shop/nodes.csv");
    }

    private String edges() {
        return at("shop/edges.csv");
    }

    @Test
    void blockByBlockEqualsTheWhole() throws IOException {
        tables();
        assertThat(Cli.run("pack", nodes(), "--edges", edges(), "--like", at("d.nescio"), "--out", at("g.npk"))
                        .out())
                .contains("800 nodes", "5 classes");
        assertThat(Cli.run("pack", nodes(), "--edges", edges(), "--like", at("d.nescio"), "--out", at("g.npk"))
                        .out())
                .contains("it was up to date");
        Cli.run("score", at("d.nescio"), nodes(), "--edges", edges(), "--alpha", "0.05", "--out", at("whole.csv"));
        Cli blocks = Cli.run(
                "score", at("d.nescio"), at("g.npk"), "--alpha", "0.05", "--memory", "1m", "--out", at("blocks.csv"));
        assertThat(blocks.exit()).isZero();
        assertThat(blocks.out()).matches("(?s).*blocks.csv: 800 nodes, flagged \\d+\\R");
        Cli tables = Cli.run(
                "score",
                at("d.nescio"),
                nodes(),
                "--edges",
                edges(),
                "--alpha",
                "0.05",
                "--memory",
                "64m",
                "--out",
                at("tables.csv"));
        assertThat(tables.exit()).isZero();
        assertSame("blocks.csv", "whole.csv");
        assertSame("tables.csv", "whole.csv");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith(".")))
                    .isEmpty();
        }
        assertThat(Cli.run("inspect", at("g.npk")).out()).contains("800");
    }

    /** Somebody has said which nodes are for training: another split would learn from their test nodes. */
    @Test
    void splitsOfATableAndOfAFileAreKept() throws IOException {
        StringBuilder rows = new StringBuilder("id,kind,x,part\n");
        StringBuilder pairs = new StringBuilder("source,target\n");
        for (int v = 0; v < 200; v++) {
            String part = v % 10 < 3 ? "train" : v % 10 < 5 ? "validation" : "test";
            rows.append("n" + v + "," + (v % 2 == 0 ? "a" : "b") + "," + (v % 2 + 0.01 * v) + "," + part + "\n");
            pairs.append("n" + v + ",n" + (v + 2) % 200 + "\n");
        }
        Files.writeString(folder.resolve("n.csv"), rows);
        Files.writeString(folder.resolve("e.csv"), pairs);
        Cli tables = trainInBatches(
                at("n.csv"),
                "--edges",
                at("e.csv"),
                "--label",
                "kind",
                "--split-column",
                "part",
                "--out",
                at("t.nescio"));
        assertThat(tables.out()).contains("60 training, 40 validation", "100 test");
        trainInBatches("builtin:blocks?nodes=300", "--out", at("b.nescio"));
    }

    private static Cli trainInBatches(String... more) {
        String[] all = Stream.concat(
                        Stream.of("train", "--memory", "64m", "--batch-nodes", "50", "--epochs", "3"), Stream.of(more))
                .toArray(String[]::new);
        Cli cli = Cli.run(all);
        assertThat(cli.exit()).as(cli.err()).isZero();
        assertThat(cli.err()).doesNotContain("no splits of its own");
        return cli;
    }

    /** Eight chains whose nodes take turns in the table. */
    @Test
    void scoresDoNotDependOnTheOrder() throws IOException {
        tables();
        StringBuilder chains = new StringBuilder("source,target\n");
        for (int v = 8; v < 800; v++) {
            chains.append(v - 8).append(',').append(v).append('\n');
        }
        Files.writeString(folder.resolve("shop/edges.csv"), chains);
        String[] pack = {"pack", nodes(), "--edges", edges(), "--like", at("d.nescio"), "--out", at("g.npk")};
        assertThat(Cli.run(pack).exit()).isZero();
        String[] ordered = Stream.concat(Stream.of(pack), Stream.of("--order", "communities"))
                .toArray(String[]::new);
        String plain = at("plain.csv");
        assertThat(Cli.run("score", at("d.nescio"), at("g.npk"), "--memory", "1m", "--out", plain)
                        .exit())
                .isZero();
        assertThat(Cli.run(ordered).out()).contains("800 nodes").doesNotContain("up to date");
        assertThat(Cli.run(ordered).out()).contains("it was up to date");
        assertThat(Cli.run("score", at("d.nescio"), at("g.npk"), "--memory", "1m", "--out", at("other.csv"))
                        .exit())
                .isZero();
        List<String> rows = Files.readAllLines(folder.resolve("other.csv"));
        assertThat(rows).isNotEqualTo(Files.readAllLines(folder.resolve("plain.csv")));
        for (String file : List.of("plain.csv", "other.csv")) {
            List<String> lines = Files.readAllLines(folder.resolve(file));
            lines.subList(1, lines.size()).sort(null);
            Files.write(folder.resolve("sorted-" + file), lines);
        }
        assertSame("sorted-other.csv", "sorted-plain.csv");
        assertThat(Cli.run("pack", "builtin:blocks?nodes=300", "--order", "communities", "--out", at("b.npk"))
                        .out())
                .contains("300 nodes");
        assertThat(Cli.run("pack", "builtin:blocks?nodes=300", "--order", "size", "--out", at("b.npk"))
                        .err())
                .contains("--order", "'size'");
    }

    private void assertSame(String file, String expected) throws IOException {
        List<String> rows = Files.readAllLines(folder.resolve(file));
        List<String> wanted = Files.readAllLines(folder.resolve(expected));
        assertThat(rows).hasSameSizeAs(wanted);
        assertThat(rows.get(0)).isEqualTo(wanted.get(0));
        int epistemic = List.of(wanted.get(0).split(",")).indexOf("epistemic");
        for (int i = 1; i < rows.size(); i++) {
            String[] cells = rows.get(i).split(",", -1);
            String[] others = wanted.get(i).split(",", -1);
            assertThat(cells[0]).isEqualTo(others[0]);
            assertThat(cells[2]).isEqualTo(others[2]);
            assertThat(cells[cells.length - 1]).isEqualTo(others[others.length - 1]);
            double value = Double.parseDouble(others[epistemic]);
            assertThat(Double.parseDouble(cells[epistemic])).isCloseTo(value, within(1e-5 * (1 + value)));
        }
    }

    @Test
    void saysWhatItNeedsAndWhatDoesNotGoTogether() {
        tables();
        Cli.run("pack", nodes(), "--edges", edges(), "--like", at("d.nescio"), "--out", at("g.npk"));
        assertThat(Cli.run("score", at("d.nescio"), at("g.npk"), "--memory", "1g", "--out", at("s.csv"), "--dry-run")
                        .out())
                .contains("would score 800 nodes of nodes block by block; memory about 1,024 MiB");
        assertRefused("--memory needs --out", "--memory", "1g");
        assertRefused("such as 500m or 4g, got 'much'", "--memory", "much", "--out", at("s.csv"));
        assertRefused("can be written as .csv", "--memory", "1g", "--out", at("s.parquet"));
        assertRefused("needs all scores at once", "--memory", "1g", "--out", at("s.csv"), "--false-alarms", "0.1");
        assertThat(Cli.run("pack", nodes(), "--edges", edges(), "--out", at("g.zip"))
                        .err())
                .contains("does not end in .npk");
        assertThat(Cli.run("pack", at("none.csv"), "--edges", edges(), "--out", at("n.npk"))
                        .err())
                .contains("none.csv does not exist");
        Cli.run("pack", nodes(), "--edges", edges(), "--ignore", "f0", "--out", at("other.npk"));
        assertThat(Cli.run("score", at("d.nescio"), at("other.npk"), "--memory", "1g", "--out", at("s.csv"))
                        .err())
                .contains("was packed with other columns", "nescio pack --like DETECTOR");
        assertThat(Cli.run("score", at("d.nescio"), at("other.npk"), "--out", at("s.csv"))
                        .err())
                .contains("was packed with other columns");
    }

    @Test
    void trainsAndJudgesBlockByBlock() throws IOException {
        assertThat(Cli.run("export", "builtin:blocks?nodes=600", "--out", at("shop"))
                        .exit())
                .isZero();
        Cli.run("pack", nodes(), "--edges", edges(), "--out", at("g.npk"));
        List<String> batches = List.of("--batch-nodes", "64", "--epochs", "15", "--split", "40/20/40:3");
        Cli whole = run(List.of("train", nodes(), "--edges", edges(), "--out", at("whole.nescio")), batches);
        Cli packed = run(List.of("train", at("g.npk"), "--memory", "64m", "--out", at("packed.nescio")), batches);
        Cli tables = run(
                List.of("train", nodes(), "--edges", edges(), "--memory", "2m", "--out", at("tables.nescio")), batches);
        assertThat(packed.exit()).isZero();
        String[] lines = whole.out().split("\\R");
        for (Cli other : List.of(packed, tables)) {
            String[] others = other.out().split("\\R");
            assertThat(others).hasSameSizeAs(lines);
            assertThat(others[0]).endsWith(lines[0].substring(lines[0].indexOf(": ")));
            for (int i = 1; i < lines.length - 1; i++) {
                assertThat(others[i]).isEqualTo(lines[i]);
            }
        }
        Cli.run("score", at("whole.nescio"), at("g.npk"), "--alpha", "0.1", "--out", at("whole.csv"));
        Cli.run("score", at("packed.nescio"), at("g.npk"), "--alpha", "0.1", "--out", at("packed.csv"));
        assertSame("packed.csv", "whole.csv");
        assertThat(Cli.run("explain", at("packed.nescio"), at("g.npk"), "--node", "3")
                        .exit())
                .isZero();

        List<String> same = List.of("--splits", "40/20/40:0,40/20/40:1", "--batch-nodes", "64", "--epochs", "15");
        Cli judgedWhole = run(List.of("evaluate", at("g.npk"), "--leave-out", "4"), same);
        Cli judged = run(List.of("evaluate", at("g.npk"), "--leave-out", "4", "--memory", "64m"), same);
        assertThat(judged.exit()).isZero();
        assertThat(judged.out()).isEqualTo(judgedWhole.out());

        Cli plan = run(List.of("train", at("g.npk"), "--memory", "64m", "--dry-run", "--out", at("n.nescio")), batches);
        assertThat(plan.out()).contains("600 nodes", "64 MiB");
        Cli refused = Cli.run("train", at("g.npk"), "--memory", "64m", "--out", at("n.nescio"));
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains("--batch-nodes says how large");
        Cli tablesRefused = run(List.of("evaluate", nodes(), "--edges", edges(), "--memory", "64m"), same);
        assertThat(tablesRefused.exit()).isEqualTo(2);
        assertThat(tablesRefused.err()).contains("needs a graph from 'nescio pack'");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith(".")))
                    .isEmpty();
        }
    }

    private static Cli run(List<String> args, List<String> more) {
        return Cli.run(Stream.concat(args.stream(), more.stream()).toArray(String[]::new));
    }

    private void assertRefused(String message, String... more) {
        String[] args = Stream.concat(Stream.of("score", at("d.nescio"), at("g.npk")), Stream.of(more))
                .toArray(String[]::new);
        Cli refused = Cli.run(args);
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains(message);
    }
}
