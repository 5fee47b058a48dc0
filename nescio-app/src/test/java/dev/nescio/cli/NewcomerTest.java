// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Somebody with a table of their own, whose columns are called as they please. */
class NewcomerTest {

    private static final int NODES = 300;

    @TempDir
    Path folder;

    private String nodes;
    private String edges;

    @BeforeEach
    void write() throws IOException {
        Random random = new Random(3);
        StringBuilder rows = new StringBuilder("kunde,row_id,land,umsatz,aktiv,is_fraud\n");
        for (int i = 0; i < NODES; i++) {
            boolean isFraud = i % 3 == 0;
            rows.append(String.join(
                    ",",
                    "\"K'" + i + "ß\"",
                    Integer.toString(7 * i + 3),
                    i % 10 == 0 ? "" : i % 7 == 0 ? "NA" : i % 2 == 0 ? "CH" : "Österreich",
                    Double.toString(Math.exp(3 + 2 * random.nextGaussian() + (isFraud ? 1 : 0))),
                    i % 2 == 0 ? "True" : "False",
                    isFraud ? "ja" : "nein"));
            rows.append('\n');
        }
        StringBuilder links = new StringBuilder("von,nach\n");
        for (int i = 0; i < 900; i++) {
            links.append("K'" + random.nextInt(NODES) + "ß,K'" + random.nextInt(NODES) + "ß\n");
        }
        links.append("K'1ß,K'2ß\nK'2ß,K'1ß\n");
        nodes = folder.resolve("kunden.csv").toString();
        edges = folder.resolve("kanten.csv").toString();
        Files.writeString(Path.of(nodes), rows);
        Files.writeString(Path.of(edges), links);
    }

    private Cli train(String... more) {
        return Cli.run(concat(
                new String[] {
                    "train", nodes, "--edges", edges, "--epochs", "20", "--hidden", "8", "--out", path("k.nescio")
                },
                more));
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private static String[] concat(String[] first, String... second) {
        String[] all = java.util.Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    @Test
    void inspectSaysWhatBecomesOfEveryColumn() {
        Cli inspect = Cli.run("inspect", nodes, "--edges", edges);

        assertThat(inspect.exit()).isZero();
        assertThat(inspect.out())
                .containsPattern("kunde +id +0 +300 different +names the node")
                .containsPattern(
                        "land +feature +category +68 +CH, Österreich +one feature for each; missing = none of them")
                .containsPattern("umsatz +feature +number +0 .* long tail: asinh")
                .containsPattern("aktiv +feature +category +0 +false, true")
                .contains("! 'row_id' has a different whole number in every row: if that is an id, --ignore row_id")
                .contains("! 'is_fraud' sounds like a label but is used as a feature: --label is_fraud")
                .contains("no labels; --label names their column")
                .doesNotContain("(unlabelled)")
                .containsPattern("[1-9]\\d* listed both ways");
        JsonNode json = JsonMapper.builder()
                .build()
                .readTree(Cli.run("inspect", nodes, "--edges", edges, "--label", "is_fraud", "--json")
                        .out());
        assertThat(json.path("columns").get(5).path("role").asString()).isEqualTo("label");
        assertThat(json.path("classSizes").path("ja").asInt()).isEqualTo(100);
        assertThat(json.path("unlabelled").asInt(-1)).isZero();
    }

    @Test
    void trainWithoutALabelNamesTheColumns() {
        Cli train = train();

        assertThat(train.exit()).isEqualTo(2);
        assertThat(train.err())
                .contains("kunden.csv has no column called label, class or y; --label COLUMN")
                .contains("row_id, land, umsatz, aktiv, is_fraud (--label is_fraud?)");
    }

    @Test
    void trainEndsWithWhatItCameToAndWhatToDoNext() {
        Cli train = train("--label", "is_fraud", "--ignore", "row_id");

        assertThat(train.exit()).as(train.err()).isZero();
        assertThat(train.out())
                .contains("180 training, 60 validation (30 of them held out), 60 test with a known class")
                .containsPattern("test accuracy  0\\.\\d{3} \\(always 'nein': 0\\.667\\)")
                .containsPattern("ROC-AUC +0\\.\\d{3}")
                .containsPattern("expected calibration error 0\\.\\d{3} \\(0\\.\\d{3} before temperature ")
                .containsPattern(
                        "next +nescio score \\S+k\\.nescio \\S+ --edges \\S+ --alpha 0\\.05 --out scores\\.csv");
        assertThat(train.err())
                .contains("column 'land': 68 values are missing")
                .contains("column 'umsatz' has a long tail");
    }

    /** The same table from a program that writes truth in lower case, and from one that keeps its type. */
    @Test
    void truthIsTheSameHoweverItIsWritten() throws IOException {
        assertThat(train("--label", "is_fraud", "--ignore", "row_id").exit()).isZero();
        String asWritten =
                Cli.run("score", path("k.nescio"), nodes, "--edges", edges).out();
        String lower = path("lower.csv");
        Files.writeString(
                Path.of(lower),
                Files.readString(Path.of(nodes)).replace("True", "true").replace("False", "FALSE"));

        Cli same = Cli.run("score", path("k.nescio"), lower, "--edges", edges);

        assertThat(same.err()).doesNotContain("none of the");
        assertThat(same.out()).isEqualTo(asWritten);
    }
}
