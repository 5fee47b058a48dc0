// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InformationCommandTest {

    @TempDir
    Path folder;

    @Test
    void accountsForNamedModelsAndFiles() throws IOException {
        Path svg = folder.resolve("p2.svg");
        Cli named = Cli.run("information", "exact", "P2", "--svg", svg.toString());
        Path file = folder.resolve("mine.json");
        Files.writeString(
                file,
                "{\"name\": \"mine\", \"path\": {\"flips\": [0.1, 0.3, 0.2], \"opposite\": true, \"self\": true}}");
        Cli same = Cli.run("information", "exact", file.toString());

        assertThat(named.exit()).isZero();
        assertThat(named.out()).contains("0.337450", "-0.149670", "0.180890", "the theory holds up to");
        assertThat(same.out().replace("mine", "P2")).isEqualTo(named.out());
        assertThat(svg).content().contains("recovered", "gained");
    }

    @Test
    void aModelThatKnowsTooMuchIsSaidSo() throws IOException {
        Path file = folder.resolve("cheat.json");
        Files.writeString(file, """
                {"outcomes": [
                  {"probability": 0.5, "label": 0, "shells": [0, 0], "layers": [0, "x"]},
                  {"probability": 0.5, "label": 1, "shells": [0, 0], "layers": [0, "y"]}]}
                """);
        Cli cli = Cli.run("information", "exact", file.toString(), "--json");

        assertThat(cli.exit()).isZero();
        assertThat(cli.out()).contains("\"markov\" : 1.0");
        assertThat(Cli.run("information", "exact", file.toString()).out()).contains("the theory does not apply");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{ | is not JSON",
                "{} | expected 'outcomes', a list, or 'path'",
                "{\"path\": {\"flips\": [1]}} | must be three probabilities",
                "{\"path\": {\"flips\": [1, 2, 0]}} | must lie between 0 and 1, got '2'",
                "{\"outcomes\": [{\"label\": 0, \"shells\": [0, 0], \"layers\": [0]}]} | 2 shells and 1 layers",
                "{\"outcomes\": [{\"label\": 0, \"shells\": [0, 0], \"layers\": [0, 0], \"probability\": 0.4}]} | sum to 0.4",
                "{\"outcomes\": [{\"label\": 0, \"shells\": [0, 0], \"layers\": [0, 0], \"probability\": \"x\"}]} | must be a number",
            })
    void filesThatAreWrongAreRefused(String content, String message) throws IOException {
        Path file = folder.resolve("wrong.json");
        Files.writeString(file, content);
        Cli cli = Cli.run("information", "exact", file.toString());

        assertThat(cli.exit()).isEqualTo(2);
        assertThat(cli.err()).contains(message);
    }

    @Test
    void estimatesOverSeveralModels() {
        String graph = "builtin:blocks?nodes=300&features=8";
        for (String split : new String[] {"0", "1"}) {
            Cli train = Cli.run(
                    "train",
                    graph,
                    "--split",
                    split,
                    "--hidden",
                    "8",
                    "--epochs",
                    "30",
                    "--k",
                    "2",
                    "--out",
                    folder.resolve("model" + split).toString());
            assertThat(train.exit()).isZero();
        }
        Path out = folder.resolve("layers");
        Cli cli = Cli.run(
                "information",
                "estimate",
                folder.resolve("model0").toString(),
                folder.resolve("model1").toString(),
                graph,
                "--permutations",
                "3",
                "--out",
                out.toString());

        assertThat(cli.exit()).isZero();
        assertThat(cli.out()).contains("2 runs", "H0", "H2", "joint", "control", "points of AUC-ROC");
        assertThat(out.resolve("information.html")).exists();
        assertThat(out.resolve("changes.svg")).content().contains("over the best");
    }

    @Test
    void drawsTheHomophilyCurve() {
        Cli cli = Cli.run(
                "information",
                "homophily",
                "--out",
                folder.toString(),
                "--nodes",
                "200",
                "--steps",
                "2",
                "--splits",
                "2",
                "--hidden",
                "8",
                "--epochs",
                "20",
                "--permutations",
                "2");

        assertThat(cli.exit()).isZero();
        assertThat(cli.out()).contains("have a correlation of");
        assertThat(folder.resolve("homophily.csv")).content().hasLineCount(1 + 3 * 4);
        assertThat(folder.resolve("homophily-bits.svg")).exists();
        assertThat(Cli.run("information", "homophily", "--out", folder.toString(), "--splits", "11")
                        .exit())
                .isEqualTo(2);
        assertThat(Cli.run("information", "estimate", "nothing").exit()).isEqualTo(2);
    }
}
