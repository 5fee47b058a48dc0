// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.nescio.graph.Graph;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.io.array.Npy;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.model.Forward;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** From tables or from states of another network to decisions. */
class OwnGraphTest {

    private static final String SMALL = "builtin:blocks?nodes=400";

    @TempDir
    Path folder;

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private static JsonNode json(Cli cli) {
        return JsonMapper.builder().build().readTree(cli.out());
    }

    private void trainOnTables(String source) {
        assertThat(Cli.run("export", source, "--out", path("shop")).exit()).isZero();
        Cli train = Cli.run(
                "train",
                path("shop/nodes.csv"),
                "--edges",
                path("shop/edges.csv"),
                "--leave-out",
                "4",
                "--epochs",
                "60",
                "--hidden",
                "16",
                "--learning-rate",
                "0.01",
                "--out",
                path("shop.nescio"));
        assertThat(train.err()).isEmpty();
        assertThat(train.exit()).isZero();
    }

    @Test
    void labelsOfPeopleAreLearnedFrom() throws IOException {
        assertThat(Cli.run("export", SMALL, "--out", path("shop")).exit()).isZero();
        Path labels = Files.writeString(folder.resolve("labels.csv"), "id,label\n0,odd\n1,odd\nelsewhere,odd\n");
        List<String> train = List.of(
                "train",
                path("shop/nodes.csv"),
                "--edges",
                path("shop/edges.csv"),
                "--epochs",
                "2",
                "--labels",
                labels.toString(),
                "--out",
                path("again.nescio"));
        Cli trained = Cli.run(train.toArray(String[]::new));
        assertThat(trained.err()).contains("1 of 3 labels");
        assertThat(trained.exit()).isZero();
        assertThat(DetectorFile.read(folder.resolve("again.nescio")).classes()).contains("odd");
        Files.writeString(labels, "id,label\nelsewhere,odd\n");
        Cli refused = Cli.run(train.toArray(String[]::new));
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains("labels.csv").contains("'elsewhere'");
    }

    /** Without the column of labels, what people said alone is learned, and the column becomes a feature: that is said. */
    @Test
    void aForgottenColumnOfLabelsIsNamed() throws IOException {
        StringBuilder nodes = new StringBuilder("id,size,verdict\n");
        StringBuilder edges = new StringBuilder("from,to\n");
        StringBuilder decided = new StringBuilder("id,label\n");
        for (int i = 0; i < 60; i++) {
            String verdict = i % 2 == 0 ? "good" : "bad";
            nodes.append(i)
                    .append(',')
                    .append(i % 7)
                    .append(',')
                    .append(verdict)
                    .append('\n');
            edges.append(i).append(',').append((i + 2) % 60).append('\n');
            decided.append(i < 20 ? i + "," + verdict + "\n" : "");
        }
        Files.writeString(folder.resolve("nodes.csv"), nodes);
        Files.writeString(folder.resolve("edges.csv"), edges);
        Files.writeString(folder.resolve("labels.csv"), decided);
        Cli trained = Cli.run(
                "train",
                path("nodes.csv"),
                "--edges",
                path("edges.csv"),
                "--epochs",
                "2",
                "--labels",
                path("labels.csv"),
                "--out",
                path("again.nescio"));
        assertThat(trained.exit()).as(trained.err()).isZero();
        assertThat(trained.err())
                .contains("note: " + path("nodes.csv") + " has no column of labels: only the 20 labels in "
                        + path("labels.csv") + " are learned from; column 'verdict' holds the same words and is taken"
                        + " for a feature (--label verdict?)");
    }

    @Test
    void tablesToDecisions() throws IOException {
        trainOnTables(SMALL);
        Cli score = Cli.run(
                "score",
                path("shop.nescio"),
                path("shop"),
                "--alpha",
                "0.1",
                "--false-alarms",
                "0.2",
                "--accuracy",
                "0.9",
                "--label-sets",
                "0.1",
                "--out",
                path("scores.csv"));
        assertThat(score.exit()).isZero();
        assertThat(score.out()).matches("(?s)\\S+: 400 nodes, flagged \\d+, listed \\d+, abstains \\d+\\R");
        assertThat(score.err())
                .contains("flagged: jlde-relative above ", "among 40 held-out validation nodes of split split of nodes")
                .contains("predicting where aleatoric is at most ");
        List<String> lines = Files.readAllLines(folder.resolve("scores.csv"));
        assertThat(lines.get(0))
                .isEqualTo(
                        "node,role,predicted,probability,aleatoric,epistemic,p_value,flagged,listed,abstains,labels");
        assertThat(lines.get(1)).matches("0,[a-z-]+,[0-3],.*,(true|false),(true|false),(true|false),[0-3|]*");

        Cli nothingNew = Cli.run("watch", path("shop.nescio"), path("shop"));
        assertThat(nothingNew.exit()).isZero();
        assertThat(nothingNew.out()).isEqualToIgnoringNewLines("no new nodes: all of them were in the training graph");
        Cli otherKind = Cli.run("score", path("shop.nescio"), SMALL);
        assertThat(otherKind.exit()).isEqualTo(2);
        assertThat(otherKind.err()).contains("the detector was trained on tables");
        Cli tooSmall = Cli.run(
                "score", path("shop.nescio"), path("shop"), "--alpha", "0.001", "--out", path("none.csv"), "--json");
        assertThat(json(tooSmall).path("flagged").asInt(-1)).isZero();
        assertThat(tooSmall.err())
                .contains(
                        "nothing can be flagged at alpha 0.001: 40 held-out nodes are too few, at least 999 are needed");
    }

    @Test
    void grownTablesAreScoredByWhatIsNew() throws IOException {
        trainOnTables(SMALL);
        Path nodes = folder.resolve("shop/nodes.csv");
        String row = Files.readAllLines(nodes).get(1).replaceFirst("^0,0,train", "fresh,,");
        Files.writeString(nodes, row + "\n", StandardOpenOption.APPEND);
        Files.writeString(folder.resolve("shop/edges.csv"), "fresh,3\n7,fresh\n", StandardOpenOption.APPEND);
        Files.writeString(folder.resolve("new.txt"), "fresh\n");

        JsonNode some = json(Cli.run("score", path("shop.nescio"), path("shop"), "--nodes", path("new.txt"), "--json"));
        JsonNode all = json(Cli.run("score", path("shop.nescio"), path("shop"), "--json"));
        assertThat(some.size()).isEqualTo(1);
        assertThat(all.size()).isEqualTo(401);
        assertThat(some.get(0).path("node").asString()).isEqualTo("fresh");
        assertThat(some.get(0).path("epistemic").asDouble())
                .isCloseTo(all.get(400).path("epistemic").asDouble(), withinPercentage(0.1));

        Files.writeString(folder.resolve("new.txt"), "fresh\nghost\n");
        Cli wrong = Cli.run("score", path("shop.nescio"), path("shop"), "--nodes", path("new.txt"));
        assertThat(wrong.exit()).isEqualTo(2);
        assertThat(wrong.err()).contains("new.txt, line 2: 'ghost' is not a node of shop");
    }

    @Test
    void watchRaisesAnAlarmAboutAnUnknownClassOnly() throws IOException {
        String source = "blocks?nodes=1500";
        trainOnTables("builtin:" + source);
        Graph graph = BuiltinGraphs.make(source);
        List<String> unseen = new ArrayList<>();
        List<String> ordinary = new ArrayList<>();
        for (int v : graph.split("0").test().toArray()) {
            (graph.label(v) == 4 ? unseen : ordinary).add(Integer.toString(v));
        }
        Files.write(folder.resolve("unseen.txt"), unseen);
        Files.write(folder.resolve("ordinary.txt"), ordinary);

        Cli alarm = Cli.run("watch", path("shop.nescio"), path("shop"), "--nodes", path("unseen.txt"));
        assertThat(alarm.exit()).isEqualTo(3);
        assertThat(alarm.out()).contains("drift: the nodes differ from held-out ones in scores");
        Cli calm = Cli.run(
                "watch",
                path("shop.nescio"),
                path("shop"),
                "--nodes",
                path("ordinary.txt"),
                "--level",
                "0.0001",
                "--json");
        assertThat(calm.exit()).isZero();
        assertThat(json(calm).path("drift").asBoolean()).isFalse();
        assertThat(Cli.run("watch", path("shop.nescio"), path("nowhere")).exit())
                .isEqualTo(2);
    }

    @Test
    void statesOfAnotherNetworkGiveTheSameScores() {
        Cli.run(
                "train",
                SMALL,
                "--epochs",
                "40",
                "--hidden",
                "8",
                "--estimator",
                "jlde,ebm,gnnsafe",
                "--held-out",
                "0",
                "--out",
                path("m"));
        Graph graph = BuiltinGraphs.make("blocks?nodes=400");
        Forward forward = DetectorFile.read(folder.resolve("m")).forward(graph);
        List<String> files = new ArrayList<>();
        for (int i = 0; i < forward.states().size(); i++) {
            files.add(path("z" + i + ".npy"));
            Npy.write(Path.of(files.get(i)), NdArray.of(forward.matrices().get(i)));
        }
        Npy.write(folder.resolve("logits.npy"), NdArray.of(forward.logits()));
        mask("train.npy", graph.split("0").train()::contains);
        mask("val.npy", graph.split("0").validation()::contains);
        int[] rows = graph.adjacency().rowOfEntry();
        float[] links = new float[2 * rows.length];
        for (int e = 0; e < rows.length; e++) {
            links[2 * e] = rows[e];
            links[2 * e + 1] = graph.adjacency().neighbours()[e];
        }
        Npy.write(folder.resolve("links.npy"), NdArray.of(DenseMatrix.of(rows.length, 2, links)));
        String states = String.join(",", files);

        Cli fit = Cli.run(
                "fit",
                "--states",
                states,
                "--logits",
                path("logits.npy"),
                "--links",
                path("links.npy"),
                "--train",
                path("train.npy"),
                "--held-out",
                path("val.npy"),
                "--estimator",
                "jlde,ebm,gnnsafe",
                "--out",
                path("e.nescio"));
        assertThat(fit.exit()).isZero();
        assertThat(fit.out()).contains("jlde, ebm, gnnsafe fitted; nodes are compared with");
        Cli elsewhere = Cli.run(
                "score",
                path("e.nescio"),
                "--states",
                states,
                "--logits",
                path("logits.npy"),
                "--links",
                path("links.npy"));
        assertThat(elsewhere.out()).isEqualTo(Cli.run("score", path("m"), SMALL).out());

        Cli wrong = Cli.run("score", path("e.nescio"), "--states", files.get(0));
        assertThat(wrong.exit()).isEqualTo(2);
        assertThat(wrong.err()).contains("there are 1 states, but the detector was fitted on 3");
        assertThat(Cli.run("score", path("e.nescio"), SMALL).err())
                .contains("e.nescio was fitted on external hidden states; name them with --states");
        assertThat(Cli.run("score", path("m"), "--states", files.get(0)).exit()).isEqualTo(2);

        String node = Integer.toString(graph.split("0").test().toArray()[0]);
        JsonNode here = json(Cli.run("explain", path("m"), SMALL, "--node", node, "--json"));
        Cli why = Cli.run(
                "explain",
                path("e.nescio"),
                "--states",
                states,
                "--logits",
                path("logits.npy"),
                "--node",
                node,
                "--out",
                path("why.html"),
                "--json");
        JsonNode there = json(why);
        assertThat(there.path("epistemic").asDouble())
                .isCloseTo(here.path("epistemic").asDouble(), withinPercentage(0.01));
        assertThat(there.path("pValue")).isEqualTo(here.path("pValue"));
        assertThat(there.path("nearestTraining").get(0).path("node"))
                .isEqualTo(here.path("nearestTraining").get(0).path("node"));
        assertThat(there.path("layers").get(0).path("state").asString()).isEqualTo("state 0");
        assertThat(folder.resolve("why.html"))
                .content()
                .contains("Why node " + node)
                .doesNotContain("<figure");
        assertThat(Cli.run("explain", path("e.nescio"), SMALL, "--node", node).err())
                .contains("was fitted on external hidden states; name them with --states");
    }

    @Test
    void theEndingOfTheFileSaysHowScoresAreWritten() throws IOException {
        assertThat(Cli.run("train", SMALL, "--epochs", "5", "--hidden", "4", "--out", path("m"))
                        .exit())
                .isZero();
        Cli drawn = Cli.run("score", path("m"), SMALL, "--out", path("s.gexf"), "--probabilities");
        assertThat(drawn.exit()).isZero();
        assertThat(folder.resolve("s.gexf")).content().contains("probability-4", "<edge ");
        Cli some = Cli.run("score", path("m"), SMALL, "--nodes", "new", "--out", path("s.graphml"));
        assertThat(some.exit()).isEqualTo(2);
        assertThat(some.err()).contains("holds a whole graph, so that --states and --nodes cannot be used with it");
        Cli unknown = Cli.run("score", path("m"), SMALL, "--out", path("s.xls"));
        assertThat(unknown.exit()).isEqualTo(2);
        assertThat(unknown.err()).contains("scores are written to files that end in .csv");
        assertThat(folder.resolve("s.xls")).doesNotExist();
    }

    private void mask(String name, IntPredicate member) {
        boolean[] values = new boolean[400];
        IntStream.range(0, 400).forEach(i -> values[i] = member.test(i));
        Npy.write(folder.resolve(name), new NdArray.Booleans(new int[] {400}, values));
    }
}
