// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.cli.output.Visible;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ids and classes that a terminal or a spreadsheet would take for something else. */
class HostileNamesTest {

    @TempDir
    Path folder;

    private Path nodes() throws IOException {
        StringBuilder nodes = new StringBuilder("id,x,y,label,split\n");
        for (int i = 0; i < 60; i++) {
            String id = i == 0 ? "=HYPERLINK(1)" : i == 1 ? "\u001b]0;owned\u0007" : "n" + i;
            nodes.append(id + "," + i % 7 + "," + i % 5 + "," + (i % 2 == 0 ? "+good" : "bad") + ",")
                    .append(i < 30 ? "train" : i < 45 ? "validation" : "test")
                    .append('\n');
        }
        Files.writeString(folder.resolve("edges.csv"), "source,target\nn2,n3\nn4,n5\n");
        return Files.writeString(folder.resolve("nodes.csv"), nodes.toString());
    }

    @Test
    void spreadsheetsAreWarnedOfAndCanBeServed() throws IOException {
        String nodes = nodes().toString();
        String edges = folder.resolve("edges.csv").toString();
        String model = folder.resolve("m.nescio").toString();
        Path scores = folder.resolve("scores.csv");
        assertThat(Cli.run("train", nodes, "--edges", edges, "--epochs", "2", "--hidden", "4", "--out", model)
                        .exit())
                .isZero();
        Cli plain = Cli.run("score", model, nodes, "--edges", edges, "--out", scores.toString());
        assertThat(plain.err()).contains("1 ids begin with =, +, -, @ or a tab", "--spreadsheet");
        assertThat(Files.readString(scores)).contains("\n=HYPERLINK(1),");
        Cli safe = Cli.run("score", model, nodes, "--edges", edges, "--out", scores.toString(), "--spreadsheet");
        assertThat(safe.err()).doesNotContain("begin with");
        assertThat(Files.readString(scores))
                .contains("\n'=HYPERLINK(1),")
                .doesNotContain("\n=")
                .contains(",'+good,");
    }

    @Test
    void messagesHoldNoControlCharacters() throws IOException {
        String nodes = nodes().toString();
        Files.writeString(folder.resolve("edges.csv"), "source,target\nn2,\u001b[31mx\n");
        Cli cli =
                Cli.run("inspect", nodes, "--edges", folder.resolve("edges.csv").toString());

        assertThat(cli.exit()).isEqualTo(2);
        assertThat(cli.err()).contains("\\x1b[31mx").doesNotContain("\u001b");
        Cli wrong = Cli.run("inspect", nodes, "--no\u001b[2Jsuch", "x");
        assertThat(wrong.exit()).isEqualTo(2);
        assertThat(wrong.err()).contains("--no\\x1b[2Jsuch").doesNotContain("\u001b");
    }

    @Test
    void textForATerminalIsSpeltOut() throws IOException {
        StringWriter out = new StringWriter();
        try (Writer visible = Visible.writer(out)) {
            visible.write("a\u001b[2Jb\tc\n");
            visible.write('\u0007');
            visible.write("plain".toCharArray());
        }
        assertThat(out.toString()).isEqualTo("a\\x1b[2Jb\tc\n\\x07plain");
        assertThat(Visible.of("fraud\rsafe \r\nnext\r")).isEqualTo("fraud\\x0dsafe \r\nnext\\x0d");
        assertThat(Visible.of("caf\u00e9 \u009b1m")).isEqualTo("caf\u00e9 \\x9b1m");
    }
}
