// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.detector.DetectorOptions;
import dev.nescio.io.array.Npy;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.matrix.NdArray;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CommandsTest {

    private static final String SMALL = "builtin:blocks?nodes=200";

    @TempDir
    Path folder;

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private static JsonNode json(Cli cli) {
        return JsonMapper.builder().build().readTree(cli.out());
    }

    private Cli trainSmall(String out, String... more) {
        List<String> args = new ArrayList<>(
                List.of("train", SMALL, "--out", path(out), "--epochs", "30", "--hidden", "8", "--leave-out", "4"));
        args.addAll(List.of(more));
        return Cli.run(args.toArray(String[]::new));
    }

    @Test
    void trainsAndScores() throws IOException {
        Cli train = trainSmall("model");
        assertThat(train.exit()).isZero();
        assertThat(train.out())
                .matches("(?s)\\S+model: 30 epochs, best validation accuracy 0\\.\\d+ in epoch \\d+\\R.*next  .*");
        assertThat(train.err()).isEmpty();

        Cli score = Cli.run("score", path("model"), SMALL, "--out", path("scores.csv"));
        assertThat(score.exit()).isZero();
        assertThat(score.out()).isEqualToIgnoringNewLines(path("scores.csv") + ": 200 nodes");
        List<String> lines = Files.readAllLines(folder.resolve("scores.csv"));
        assertThat(lines).hasSize(201);
        assertThat(lines.get(0)).isEqualTo("node,role,predicted,probability,aleatoric,epistemic,p_value");

        Cli toStdout = Cli.run("score", path("model"), SMALL);
        assertThat(toStdout.out().lines().toList()).isEqualTo(lines);
        JsonNode rows = json(Cli.run("score", path("model"), SMALL, "--json"));
        assertThat(rows.size()).isEqualTo(200);
        assertThat(lines.get(8))
                .startsWith("7," + rows.get(7).path("role").asString() + ","
                        + rows.get(7).path("predicted").asString() + ",");
    }

    @Test
    void sameSeedAndThreadsGiveTheSameBytes() {
        trainSmall("a.zip", "--threads", "2");
        trainSmall("b.zip", "--threads", "2");
        trainSmall("c.zip", "--threads", "2", "--seed", "1");

        assertThat(folder.resolve("a.zip")).hasSameBinaryContentAs(folder.resolve("b.zip"));
        assertThat(folder.resolve("c.zip").toFile().length()).isPositive();
        assertThat(Cli.run("score", path("a.zip"), SMALL).out())
                .isNotEqualTo(Cli.run("score", path("c.zip"), SMALL).out());
    }

    @Test
    void scoringAnotherGraphSaysSo() {
        trainSmall("model");
        Cli score = Cli.run("score", path("model"), "builtin:blocks?nodes=150", "--out", path("s.csv"));

        assertThat(score.exit()).isZero();
        assertThat(score.err())
                .isEqualToIgnoringNewLines(
                        "note: blocks is not the graph that " + path("model") + " was trained on (blocks)");
        assertThat(Cli.run("score", path("model"), "builtin:blocks?nodes=250", "--out", path("s.csv"))
                        .err())
                .contains("its nodes have no ids: those with the numbers of training nodes are taken for them")
                .contains("of 250 nodes are training nodes");
    }

    @Test
    void severalEstimatorsComeFromOneForwardPass() {
        trainSmall("model", "--estimator", "jlde,jlde-kde,jlde-mixture,gebm");
        Cli all = Cli.run("score", path("model"), SMALL);
        assertThat(all.out().lines().findFirst())
                .hasValue(
                        "node,role,predicted,probability,aleatoric,epistemic,epistemic-jlde-kde,epistemic-jlde-mixture,epistemic-gebm,p_value");

        Cli some = Cli.run("score", path("model"), SMALL, "--estimator", "ebm,gebm", "--json");
        assertThat(json(some).get(0).has("epistemic-gebm")).isTrue();
        Cli wrong = Cli.run("score", path("model"), SMALL, "--estimator", "magic");
        assertThat(wrong.exit()).isEqualTo(2);
        assertThat(Cli.run("estimators").out()).contains("jlde-kde", "gnnsafe", "NeurIPS 2024");
    }

    @Test
    void explainsAScore() {
        trainSmall("model");
        Cli text = Cli.run("explain", path("model"), SMALL, "--node", "190");
        assertThat(text.exit()).isZero();
        assertThat(text.out())
                .startsWith("Node 190 is ")
                .contains("node 190: predicted ", "what each layer adds", "H0", "H2", "nearest training nodes");

        JsonNode why = json(Cli.run("explain", path("model"), SMALL, "--node", "190", "--json"));
        double sum = 0;
        for (JsonNode layer : why.path("layers")) {
            sum += layer.path("amount").asDouble();
        }
        assertThat(sum).isCloseTo(why.path("epistemic").asDouble(), within(1e-9));
        assertThat(why.path("nearestTraining").size()).isEqualTo(5);

        Cli unknown = Cli.run("explain", path("model"), SMALL, "--node", "x9");
        assertThat(unknown.exit()).isEqualTo(2);
        assertThat(unknown.err()).isEqualToIgnoringNewLines("nescio: " + SMALL + " has no node 'x9'");
    }

    @Test
    void whatIsNotANumberIsNullInJson() {
        Cli evaluate = Cli.run("evaluate", SMALL, "--splits", "0", "--epochs", "2", "--hidden", "4", "--json");
        JsonNode json = json(evaluate);

        assertThat(json.path("splits")
                        .get(0)
                        .path("byEstimator")
                        .path("jlde-relative")
                        .path("aucEpistemic")
                        .isNull())
                .isTrue();
        assertThat(json.has("auc_jlde-relative")).isFalse();
        assertThat(evaluate.err()).contains("no test node is out of distribution, so there is no AUC; --leave-out");
        assertThat(json.path("accuracy").path("runs").asInt()).isEqualTo(1);
        assertThat(json.path("accuracy").path("mean").isNumber()).isTrue();
    }

    @Test
    void inspectsAGraph() {
        Cli text = Cli.run("inspect", SMALL);
        assertThat(text.exit()).isZero();
        assertThat(text.out()).contains("nodes          200 in ", "homophily      edge 0.", "compatibility");

        JsonNode json = json(Cli.run("inspect", SMALL, "--json"));
        assertThat(json.path("nodes").asInt()).isEqualTo(200);
        assertThat(json.path("homophily").path("compatibility").size()).isEqualTo(5);
        assertThat(json.path("splits").path("0").path("training").asInt()).isEqualTo(100);
        assertThat(Cli.run("inspect").out()).contains("builtin:moons?nodes=500");
    }

    @Test
    void aGraphOfOneNodeCanBeInspected() {
        Npy.writeAll(
                folder.resolve("one.npz"),
                Map.of(
                        "node_features", new NdArray.Floats(new int[] {1, 1}, new float[] {1}),
                        "node_labels", NdArray.of(0),
                        "edges", new NdArray.Ints(new int[] {0, 2}, new int[0])));

        Cli inspect = Cli.run("inspect", path("one.npz"));
        assertThat(inspect.exit()).isZero();
        assertThat(inspect.out())
                .contains("1 in 1 components, 1 isolated", "not defined: needs edges and at least two classes");

        Cli train = Cli.run("train", path("one.npz"), "--out", path("m"));
        assertThat(train.exit()).isEqualTo(2);
        assertThat(train.err()).contains("one has 1 labelled node; to train, validate and test it takes at least 3");
    }

    @Test
    void evaluatesSeveralSplits() {
        Cli cli = Cli.run(
                "evaluate",
                SMALL,
                "--splits",
                "0-1,stratified:3",
                "--epochs",
                "20",
                "--hidden",
                "8",
                "--leave-out",
                "last:1",
                "--k",
                "2",
                "--json");

        assertThat(cli.exit()).isZero();
        JsonNode json = json(cli);
        assertThat(json.path("splits").size()).isEqualTo(3);
        double sum = 0;
        for (JsonNode split : json.path("splits")) {
            sum += split.path("byEstimator")
                    .path("jlde-relative")
                    .path("accuracy")
                    .asDouble();
        }
        assertThat(json.path("accuracy").path("mean").asDouble()).isEqualTo(sum / 3);
    }

    @Test
    void evaluatesNoise() {
        // Rows of length 1 among standard normal ones of length 5: the layer that sees a node alone tells them all
        // apart.
        Cli cli = Cli.run(
                "evaluate",
                "builtin:blocks?nodes=600",
                "--splits",
                "0",
                "--epochs",
                "40",
                "--normalise",
                "l2",
                "--learning-rate",
                "0.01",
                "--noise",
                "far",
                "--states",
                "0",
                "--json");
        assertThat(cli.exit()).isZero();
        assertThat(json(cli).path("auc_jlde-relative").path("mean").asDouble()).isGreaterThan(0.99);

        Cli both = Cli.run("evaluate", SMALL, "--noise", "near", "--leave-out", "4");
        assertThat(both.exit()).isEqualTo(2);
        assertThat(both.err())
                .isEqualToIgnoringNewLines("nescio: --noise and --leave-out cannot be combined; use one at a time");
    }

    @Test
    void demoWritesAReportThatNeedsNothingElse() throws IOException {
        Cli demo = Cli.run("demo", "--out", path("demo"));

        assertThat(demo.exit()).isZero();
        assertThat(demo.out())
                .contains("accuracy on known classes", "AUC-ROC of epistemic, unseen class", "report.html");
        String html = Files.readString(folder.resolve("demo/report.html"));
        assertThat(html).contains("How to reproduce", "nescio demo --seed 0", "unseen classes");
        assertThat(html).doesNotContainPattern("(src|href)=\"https?:").doesNotContain("{{");
        assertThat(folder.resolve("demo/scores.csv")).isNotEmptyFile();
        assertThat(folder.resolve("demo/model/manifest.json")).isNotEmptyFile();
    }

    @Test
    void dryRunsPlanAndTouchNothing() throws IOException {
        Cli plan = Cli.run("train", SMALL, "--out", path("m"), "--dry-run", "--leave-out", "4");
        assertThat(plan.exit()).isZero();
        assertThat(plan.out().lines().toList().subList(0, 3))
                .containsExactly(
                        "graph       blocks: 200 nodes, 1,900 directed edges, 32 features",
                        "split       0: 100 training, 50 validation, 50 test nodes, 4 classes",
                        "model       res-gcn: 2 layers of width 64, 19,396 parameters");
        assertThat(plan.out()).containsPattern("memory      about \\d+ MiB");
        assertThat(json(Cli.run("demo", "--dry-run", "--json", "--out", path("d")))
                        .path("parameters")
                        .asInt())
                .isEqualTo(19396);
        assertThat(Cli.run("evaluate", SMALL, "--dry-run").out()).startsWith("10 trainings, ");
        try (var children = Files.list(folder)) {
            assertThat(children).isEmpty();
        }
    }

    @Test
    void helpHasExamplesAndVersionSaysWhich() {
        for (String command : List.of("train", "score", "inspect", "evaluate", "demo", "estimators", "explain")) {
            assertThat(Cli.run(command, "--help").out()).contains("Usage: nescio " + command, "Examples:");
        }
        assertThat(Cli.run().out()).contains("Usage: nescio", "Examples:");
        assertThat(Cli.run("--version").out()).startsWith("nescio ");
        assertThat(Cli.run("train", "--version").out()).startsWith("nescio ");
        assertThat(Cli.run("generate-completion").out()).contains("complete -F _complete_nescio");
    }

    @Test
    void listsAllModels() {
        Cli cli = Cli.run("models", "builtin:blocks?nodes=60&features=6", "--hidden", "8", "--json");

        assertThat(cli.exit()).isZero();
        assertThat(json(cli).findValuesAsString("name"))
                .contains(
                        "res-gcn", "res-gat-sep", "res-gate", "gcn", "gatv2", "gprgnn", "fagcn", "fsgnn", "gpn", "sgcn")
                .contains("bgcn");
        assertThat(json(cli).findValuesAsString("millisecondsPerEpoch")).hasSize(12);
        assertThat(Cli.run("models", "builtin:blocks?nodes=60&features=6").out())
                .contains("--choose heads=8", " ms per epoch");
    }

    @Test
    void tuningGoesOnWhereItStoppedAndTrainReadsTheResult() throws IOException {
        Path best = folder.resolve("best.args");
        String[] tune = {
            "tune",
            "builtin:blocks?nodes=60&features=6",
            "--model",
            "gprgnn",
            "--choose",
            "hops=3",
            "--splits",
            "0-1",
            "--widths",
            "4",
            "--dropouts",
            "0.2",
            "--epochs",
            "5",
            "--json",
            "--out",
            best.toString()
        };
        Cli first = Cli.run(tune);
        assertThat(first.exit()).isZero();
        Path trials = folder.resolve("best.args.trials");
        List<String> lines = Files.readAllLines(trials);
        assertThat(lines).hasSize(9);
        // Killed while the fourth line was written.
        Files.writeString(
                trials,
                String.join("\n", lines.subList(0, 3)) + "\n" + lines.get(3).substring(0, 9));
        Cli second = Cli.run(tune);

        assertThat(second.exit()).isZero();
        assertThat(second.out()).isEqualTo(first.out());
        assertThat(Files.readAllLines(trials)).hasSize(10).containsAll(lines);
        assertThat(Files.readString(best)).contains("--model gprgnn", "--choose hops=3", "over splits 0, 1");
        Cli train = Cli.run(
                "train",
                "builtin:blocks?nodes=60&features=6",
                "@" + best,
                "--k",
                "2",
                "--epochs",
                "3",
                "--log",
                folder.resolve("log").toString(),
                "--out",
                folder.resolve("tuned").toString());
        assertThat(train.exit()).isZero();
        assertThat(DetectorFile.read(folder.resolve("tuned"))
                        .options()
                        .architecture()
                        .name())
                .isEqualTo("gprgnn");
        assertThat(Files.readAllLines(folder.resolve("log/epochs.csv"))).hasSize(4);
    }

    @Test
    void tunedSettingsCanBeChangedByWhatFollows() {
        Path model = folder.resolve("tuned-model");
        Cli train = Cli.run(
                "train",
                "builtin:blocks?nodes=60&features=6",
                "--tuned",
                "cora_ml/gprgnn",
                "--hidden",
                "8",
                "--epochs",
                "3",
                "--k",
                "2",
                "--out",
                model.toString());
        assertThat(train.exit()).isZero();
        DetectorOptions options = DetectorFile.read(model).options();
        assertThat(options.architecture().name()).isEqualTo("gprgnn");
        assertThat(options.model().hidden()).isEqualTo(8);
        assertThat(options.training().learningRate()).isEqualTo(0.01);
        assertThat(options.preprocessing().binary()).isTrue();
        assertThat(Cli.run("train", "builtin:blocks", "--tuned", "cora_ml", "--out", model.toString())
                        .err())
                .contains("there are no tuned settings 'cora_ml'; there are");
    }
}
