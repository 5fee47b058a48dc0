// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.detector.Decisions;
import dev.nescio.detector.Detector;
import dev.nescio.graph.Graph;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.io.graph.TableGraph;
import dev.nescio.io.graph.TableLayout;
import dev.nescio.io.graph.TablePacker;
import dev.nescio.io.pack.NodeOrder;
import dev.nescio.io.pack.PackedGraph;
import dev.nescio.progress.Progress;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.api.java.function.FilterFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands on tables as people have them: missing numbers, categories, ids that are numbers. */
class NescioSparkTest {

    @TempDir
    static Path folder;

    private static SparkSession spark;
    private static Path nodes;
    private static Path edges;
    private static Path saved;
    private static Detector detector;
    private static Graph graph;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeAll
    static void start() throws IOException {
        spark = LocalSpark.start();
        Random random = new Random(3);
        StringBuilder rows = new StringBuilder("id,age,country,active,spread,label\n");
        StringBuilder pairs = new StringBuilder("from,to\n");
        for (int v = 0; v < 120; v++) {
            rows.append(1000 + v)
                    .append(',')
                    .append(v % 11 == 0 ? "" : v % 13 == 0 ? "NA" : 20 + 30 * (v % 3) + random.nextInt(9))
                    .append(',')
                    .append(v % 7 == 0 ? "" : new String[] {"CH", "\"D, E\"", "F"}[v % 3])
                    .append(',')
                    .append(v % 2 == 0 ? "True" : "False")
                    .append(",\"")
                    .append(random.nextInt(9) + " " + v % 3)
                    .append("\",")
                    .append(new String[] {"good", "bad", "odd"}[v % 3])
                    .append('\n');
            for (int e = 0; e < 3; e++) {
                int other = random.nextInt(120);
                pairs.append(1000 + v).append(',').append(1000 + other).append('\n');
            }
        }
        nodes = Files.writeString(folder.resolve("nodes.csv"), rows);
        edges = Files.writeString(folder.resolve("edges.csv"), pairs);
        graph = TableGraph.read(
                nodes, edges, TableLayout.defaults().with().directed(true).build());
        detector = Graphs.detector(graph, "sage");
        saved = folder.resolve("detector.nescio");
        DetectorFile.write(detector, saved);
    }

    @AfterAll
    static void stop() throws Exception {
        spark.close();
    }

    private int run(String... arguments) throws Exception {
        return new NescioSpark(
                        spark,
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(arguments);
    }

    private String error() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void idsKeepTheirBlanksAndQuotesInCsv() {
        String place = folder.resolve("ids.csv").toString();
        List<String> ids = List.of(" \"a\" ", "b, 漢 ");
        Tables.write(spark.createDataset(ids, Encoders.STRING()).toDF("id"), place);
        assertThat(Tables.read(place, spark).as(Encoders.STRING()).collectAsList())
                .containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void scoresTablesAsTheLocalCommandDoes() throws Exception {
        Path target = folder.resolve("scores.parquet");
        assertThat(run(
                        "score",
                        saved.toString(),
                        nodes.toString(),
                        edges.toString(),
                        "--alpha",
                        "0.2",
                        "--accuracy",
                        "0.5",
                        "--false-alarms",
                        "0.5",
                        "--blocks",
                        "3",
                        "--out",
                        target.toString()))
                .as(error())
                .isZero();
        Dataset<Row> scores = spark.read().parquet(target.toString());
        Decisions.Wishes wishes =
                Decisions.Wishes.NONE.withAlpha(0.2).withAccuracy(0.5).withFalseAlarms(0.5);
        Graphs.assertSame(scores, detector, graph, wishes);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo(target + ": 120 nodes, flagged "
                        + scores.where("flagged").count() + ", listed "
                        + scores.where("listed").count() + ", abstains "
                        + scores.where("abstains").count() + "\n");
        Decisions local = Decisions.of(detector.score(graph), wishes);
        assertThat(local.remarks()).hasSizeGreaterThan(2);
        assertThat(error().lines()).containsAll(local.remarks());
    }

    @Test
    void listsOfLabelsAreOneTextInCsv() throws Exception {
        Path target = folder.resolve("sets.csv");
        assertThat(run(
                        "score",
                        saved.toString(),
                        nodes.toString(),
                        edges.toString(),
                        "--label-sets",
                        "0.01",
                        "--out",
                        target.toString()))
                .as(error())
                .isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(target + ": 120 nodes\n");
        Row first = spark.read().option("header", true).csv(target.toString()).first();
        assertThat(first.<String>getAs("labels")).isEqualTo("bad|good|odd");
    }

    @Test
    void mistakesAreOneSentence() throws Exception {
        assertThat(run("scor")).isEqualTo(NescioSpark.WRONG);
        assertThat(error())
                .isEqualTo("error: there is no command 'scor'; there are score, train, pack, study and tune\n");
        err.reset();
        assertThat(run("score", "a", "b")).isEqualTo(NescioSpark.WRONG);
        assertThat(error()).isEqualTo("error: expected DETECTOR NODES EDGES, got a b\n");
        err.reset();
        assertThat(run("score", "a", "b", "c", "--alhpa", "1")).isEqualTo(NescioSpark.WRONG);
        assertThat(error()).startsWith("error: there is no flag '--alhpa'; did you mean '--alpha'");
        err.reset();
        assertThat(run("score", "a", "b", "c", "--out", "d.txt")).isEqualTo(NescioSpark.WRONG);
        assertThat(error())
                .isEqualTo("error: d.txt is not a table: its name should end in .parquet, .csv or .csv.gz\n");
        err.reset();
        assertThat(run("score", "a", "b", "c", "--out", "d.csv", "--alpha", "2"))
                .isEqualTo(NescioSpark.WRONG);
        assertThat(error()).isEqualTo("error: --alpha takes a number between 0 and 1, got '2'\n");
        err.reset();
        assertThat(run("score", saved.toString(), "nowhere.parquet", edges.toString(), "--out", "d.csv"))
                .isEqualTo(NescioSpark.WRONG);
        assertThat(error()).isEqualTo("error: nowhere.parquet does not exist\n");
    }

    @Test
    void saysHowItIsUsed() throws Exception {
        assertThat(run("score", "--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("usage: ").contains("--false-alarms SHARE");
        assertThat(run()).isEqualTo(NescioSpark.WRONG);
    }

    /** Mistakes in tables that are there, each of which leaves nothing behind. */
    @Test
    void whatTablesLackIsSaidInOneSentence() throws Exception {
        String header = "id,age,country,active,spread,label\n";
        String pairs = "from,to\n";
        assertRefused(header, pairs, "nodes has no rows");
        assertRefused("", pairs, "nodes has no column 'id', which the detector needs; it has none");
        assertRefused(
                header + "a,1,CH,True,1 1,odd\n",
                pairs + "a,\"b \"\"x\"\"\"\n",
                "edges: 'b \"x\"' is not the id of a node; --drop-dangling leaves such edges out");
        assertRefused(header + "a,1,CH,True,1 1,odd\n", pairs + "a,\n", "edges: a target is missing");
        assertRefused("name,age\na,1\n", pairs, "nodes has no column 'id', which the detector needs; it has name, age");
        assertRefused(
                header + "a,1,CH,True,1 1,odd\na,2,CH,True,1 1,odd\n",
                pairs,
                "nodes, row [a,2,CH,True,1 1], column 'id': 'a' is the id of an earlier node already");
        assertRefused(
                header + "a,old,CH,True,1 1,odd\n",
                pairs,
                "nodes, row [a,old,CH,True,1 1], column 'age': 'old' is not a number");
    }

    /** As strict as the local command. */
    @Test
    void damagedCsvIsRefusedAndLineBreaksInQuotesAreNot() throws Exception {
        String header = "id,age,country,active,spread,label\n";
        String pairs = "from,to\n";
        for (String row : List.of("a,1,CH\n", "a,1,CH,True,1 1,odd,more\n")) {
            Path given = Files.writeString(folder.resolve("ragged.csv"), header + row);
            Path links = Files.writeString(folder.resolve("no-edges.csv"), pairs);
            err.reset();
            assertThat(run("score", saved.toString(), given.toString(), links.toString(), "--out", "ragged-out.csv"))
                    .isEqualTo(NescioSpark.WRONG);
            assertThat(error()).startsWith("error: ").contains("ragged.csv").hasLineCount(1);
        }
        Path links = Files.write(
                folder.resolve("latin.csv"), (pairs + "caf\u00e9,caf\u00e8\n").getBytes(StandardCharsets.ISO_8859_1));
        err.reset();
        assertThat(run("score", saved.toString(), nodes.toString(), links.toString(), "--out", "latin-out.csv"))
                .isEqualTo(NescioSpark.WRONG);
        assertThat(error()).isEqualTo("error: " + links + ": column 'from' holds text that is not UTF-8\n");

        Path broken = Files.writeString(
                folder.resolve("broken-lines.csv"),
                header + "\"a\nb\",1,CH,True,1 1,\"o\r\nd\"\nc,2,F,False,2 1,odd\n");
        assertThat(Tables.read(broken.toString(), spark).select("id").collectAsList())
                .extracting(row -> row.getString(0))
                .containsExactly("a\nb", "c");
    }

    /** Two jobs with one place: the slower one leaves the table of the other alone. */
    @Test
    void whatSomebodyElseHasWrittenMeanwhileStays() {
        String target = folder.resolve("shared.parquet").toString();
        Tables.write(spark.range(3).toDF(), target);
        assertThatThrownBy(() -> Tables.write(spark.range(5).toDF(), target))
                .satisfies(e -> assertThat(Mistakes.of(e)).contains("already exists"));
        assertThat(Tables.read(target, spark).count()).isEqualTo(3);
    }

    private void assertRefused(String nodeRows, String edgeRows, String sentence) throws Exception {
        Path given = Files.writeString(folder.resolve("given-nodes.csv"), nodeRows);
        Path links = Files.writeString(folder.resolve("given-edges.csv"), edgeRows);
        Path target = folder.resolve("refused.csv");
        err.reset();
        assertThat(run("score", saved.toString(), given.toString(), links.toString(), "--out", target.toString()))
                .isEqualTo(NescioSpark.WRONG);
        assertThat(error()).isEqualTo("error: " + sentence + "\n");
        assertThat(target).doesNotExist();
    }

    @Test
    void filesThatAreNoTablesAreRefused() throws Exception {
        Path damaged = Files.writeString(folder.resolve("damaged.parquet"), "this is no table");
        assertThat(run("score", saved.toString(), damaged.toString(), edges.toString(), "--out", "d.csv"))
                .isEqualTo(NescioSpark.WRONG);
        assertThat(error())
                .startsWith("error: " + damaged + " cannot be read: ")
                .hasLineCount(1);
    }

    /** A table that fails while it is written does not stay in the way of the next run. */
    @Test
    void whatWasHalfWrittenIsRemoved() {
        Path target = folder.resolve("half.parquet");
        Dataset<Row> failing = spark.range(0, 10, 1, 2).toDF().filter((FilterFunction<Row>)
                row -> row.getLong(0) < 100 / (7 - row.getLong(0)));
        assertThatThrownBy(() -> Tables.write(failing, target.toString())).hasStackTraceContaining("/ by zero");
        assertThat(target).doesNotExist();
    }

    @Test
    void scoresOneNodeAndWritesCompressed() throws Exception {
        Path one = Files.writeString(
                folder.resolve("one.csv"),
                "id,age,country,active,spread,label\n\"Ünï \"\"1\"\", b\",1,CH,True,1 1,odd\n");
        Path none = Files.writeString(folder.resolve("none.csv"), "from,to\n");
        Path target = folder.resolve("one-score.csv.gz");
        assertThat(run("score", saved.toString(), one.toString(), none.toString(), "--out", target.toString()))
                .as(error())
                .isZero();
        assertThat(Tables.read(target.toString(), spark).first().getString(0)).isEqualTo("Ünï \"1\", b");
        try (Stream<Path> files = Files.list(target)) {
            assertThat(files.map(Path::toString)).anyMatch(file -> file.endsWith(".csv.gz"));
        }
    }

    /** A run of hours should not end with it. */
    @Test
    void refusesAPlaceThatIsTakenBeforeAnythingRuns() throws Exception {
        assertThat(run("score", "no.nescio", "no.csv", "no.csv", "--out", nodes.toString()))
                .isEqualTo(NescioSpark.WRONG);
        assertThat(error()).isEqualTo("error: " + nodes + " exists already; it is left alone\n");
    }

    @Test
    void columnsMeanWhatFlagsSay() throws Exception {
        Path target = folder.resolve("columns.npk");
        assertThat(run(
                        "pack",
                        nodes.toString(),
                        edges.toString(),
                        "--label",
                        "country",
                        "--ignore",
                        "label,spread",
                        "--raw",
                        "--missing",
                        "zero",
                        "--source",
                        "to",
                        "--target",
                        "from",
                        "--directed",
                        "--out",
                        target.toString()))
                .as(error())
                .isZero();
        try (PackedGraph packed = PackedGraph.open(target)) {
            assertThat(packed.classes()).containsExactly("CH", "D, E", "F");
            Graph local = TableGraph.read(
                    nodes,
                    edges,
                    TableLayout.defaults()
                            .with()
                            .label("country")
                            .ignored(List.of("label", "spread"))
                            .standardise(false)
                            .missing(TableLayout.Missing.ZERO)
                            .source("to")
                            .target("from")
                            .directed(true)
                            .build());
            assertThat(packed.schema()).isEqualTo(local.schema());
            assertThat(packed.toGraph().adjacency().neighbours())
                    .isEqualTo(local.adjacency().neighbours());
            assertThat(packed.toGraph().features().get(0, 0))
                    .as("a missing age")
                    .isZero();
        }
        assertThat(run("pack", "a.csv", "b.csv", "--missing", "median", "--out", "c.npk"))
                .isEqualTo(NescioSpark.WRONG);
        assertThat(error()).isEqualTo("error: --missing takes mean, zero or refuse, got 'median'\n");
    }

    @Test
    void aDryRunWritesNothing() throws Exception {
        Path target = folder.resolve("never.parquet");
        assertThat(run(
                        "score",
                        saved.toString(),
                        nodes.toString(),
                        edges.toString(),
                        "--dry-run",
                        "--out",
                        target.toString()))
                .isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo("would score the nodes of " + nodes + " with " + saved + "\n");
        assertThat(target).doesNotExist();
    }

    @Test
    void tunesAsTheLocalCommandDoes() throws Exception {
        Path target = folder.resolve("tuned.args");
        String[] command = {
            "tune",
            nodes.toString(),
            "--edges",
            edges.toString(),
            "--model",
            "gprgnn",
            "--splits",
            "0-1",
            "--widths",
            "8,4",
            "--dropouts",
            "0.2",
            "--learning-rates",
            "0.01",
            "--weight-decays",
            "0",
            "--try",
            "hops=2,3",
            "--choose",
            "multiplier=1",
            "--leave-out",
            "last:1",
            "--epochs",
            "3",
            "--out",
            target.toString()
        };
        List<String> dry = new ArrayList<>(List.of(command));
        dry.add("--dry-run");
        assertThat(run(dry.toArray(String[]::new))).as(error()).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("8 trainings, 8 left to do, 2 at a time\n");
        assertThat(run(command)).as(error()).isZero();
        assertThat(error()).contains("training 8 of 8");
        Path journal = folder.resolve("tuned.args.trials");
        Path local = folder.resolve("local.trials");
        new TuneArguments(List.of(command).subList(1, command.length))
                .tuning(local)
                .run(Progress.NONE);
        assertThat(Files.readAllLines(journal))
                .hasSize(9)
                .containsExactlyInAnyOrderElementsOf(Files.readAllLines(local))
                .anyMatch(line -> line.contains("left-out"));
        assertThat(Files.readString(target))
                .startsWith("# " + nodes + ": best of 4 settings")
                .contains("--model gprgnn", "--choose hops=");
        assertThat(run("tune", "builtin:blocks", "--hidden", "3", "--out", target.toString()))
                .isEqualTo(NescioSpark.WRONG);
        assertThat(error()).contains("tune tries several values of hidden (64, 512): list your values there");
        assertThat(run("tune", "builtin:blocks", "--try", "hops", "--out", target.toString()))
                .isEqualTo(NescioSpark.WRONG);
        assertThat(error()).contains("error: --try takes NAME=VALUE, got 'hops'");
    }

    @Test
    void packsAsTheLocalCommandDoes() throws Exception {
        Path here = folder.resolve("spark.npk");
        Path there = folder.resolve("local.npk");
        assertThat(run("pack", nodes.toString(), edges.toString(), "--out", here.toString()))
                .as(error())
                .isZero();
        TablePacker.pack(TablePacker.Tables.of(nodes, edges), NodeOrder.TABLE, TableGraph.Listener.NONE, there);
        try (PackedGraph one = PackedGraph.open(here);
                PackedGraph other = PackedGraph.open(there)) {
            Graph packed = one.toGraph();
            Graph expected = other.toGraph();
            assertThat(packed.schema()).isEqualTo(expected.schema());
            assertThat(packed.labels()).isEqualTo(expected.labels());
            assertThat(packed.classes()).isEqualTo(expected.classes());
            assertThat(one.ids(0, one.nodes())).isEqualTo(other.ids(0, other.nodes()));
            assertThat(packed.adjacency().pointers())
                    .isEqualTo(expected.adjacency().pointers());
            assertThat(packed.adjacency().neighbours())
                    .isEqualTo(expected.adjacency().neighbours());
            for (int v = 0; v < packed.nodes(); v++) {
                for (int i = 0; i < packed.features().columns(); i++) {
                    assertThat(packed.features().get(v, i))
                            .isEqualTo(expected.features().get(v, i));
                }
            }
        }
    }
}
