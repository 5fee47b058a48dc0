// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.nescio.io.array.Npy;
import dev.nescio.matrix.NdArray;
import dev.nescio.study.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a user's mistakes lead to: one clear sentence, exit code 2, no stack trace, nothing written. */
class MistakesTest {

    private static final String SMALL = "builtin:blocks?nodes=60";

    @TempDir
    Path folder;

    @TempDir
    Path output;

    private String out() {
        return output.resolve("out").toString();
    }

    @AfterEach
    void nothingIsWritten() throws IOException {
        try (var children = Files.list(output)) {
            assertThat(children).isEmpty();
        }
    }

    private static void assertRefused(Cli cli, String message) {
        assertThat(cli.err().lines().findFirst().orElse("")).isEqualTo("nescio: " + message);
        assertThat(cli.exit()).isEqualTo(2);
        assertThat(cli.err()).doesNotContain("\tat ");
        assertThat(cli.out()).isEmpty();
    }

    private Path graph(Map<String, NdArray> changes) {
        Map<String, NdArray> arrays = new LinkedHashMap<>();
        arrays.put("node_features", new NdArray.Floats(new int[] {4, 1}, new float[] {1, 2, 3, 4}));
        arrays.put("node_labels", NdArray.of(0, 1, 0, 1));
        arrays.put("edges", new NdArray.Ints(new int[] {1, 2}, new int[] {0, 1}));
        arrays.put("train_masks", mask(true, true, false, false));
        arrays.put("val_masks", mask(false, false, true, false));
        arrays.put("test_masks", mask(false, false, false, true));
        arrays.putAll(changes);
        Path file = folder.resolve("g.npz");
        Npy.writeAll(file, arrays);
        return file;
    }

    private static NdArray mask(boolean... values) {
        return new NdArray.Booleans(new int[] {1, values.length}, values);
    }

    private Cli train(Object source, String... more) {
        String[] args = {"train", source.toString(), "--out", out(), "--epochs", "2", "--k", "1"};
        String[] all = Arrays.copyOf(args, args.length + more.length);
        System.arraycopy(more, 0, all, args.length, more.length);
        return Cli.run(all);
    }

    @Test
    void missingFile() {
        assertRefused(train("nowhere.npz"), "nowhere.npz does not exist");
        assertRefused(Cli.run("inspect", "nowhere.npz"), "nowhere.npz does not exist");
        assertRefused(Cli.run("score", "nowhere", SMALL, "--out", out() + ".csv"), "nowhere does not exist");
    }

    /** The way from a table to scores must not end with the table gone. */
    @Test
    void whatIsReadIsNotOverwritten() throws IOException {
        String nodes = "id,label,x\na,u,1\nb,v,2\n";
        Path table = Files.writeString(folder.resolve("nodes.csv"), nodes);
        Path edges = Files.writeString(folder.resolve("edges.csv"), "source,target\na,b\n");
        Path link = Files.createSymbolicLink(folder.resolve("link.csv"), table);
        for (Path out : List.of(table, edges, link)) {
            assertRefused(
                    Cli.run("score", "d.nescio", table + "", "--edges", edges + "", "--out", out + ""),
                    out + " is a file to be read: name another one with --out");
        }
        assertRefused(
                Cli.run("score", "d", table + "", "--edges", edges + "", "--memory", "1g", "--out", table + ""),
                table + " is a file to be read: name another one with --out");
        assertRefused(
                Cli.run("explain", "d", table + "", "--edges", edges + "", "--node", "a", "--out", edges + ""),
                edges + " is a file to be read: name another one with --out");
        assertRefused(
                Cli.run("tune", table + "", "--edges", edges + "", "--out", table + ""),
                table + " is a file to be read: name another one with --out");
        assertThat(table).hasContent(nodes);
    }

    @Test
    void missingFileOfArguments() {
        assertRefused(
                Cli.run("train", SMALL, "@none.args", "--out", out()),
                "there is no file 'none.args' to read arguments from");
    }

    @Test
    void damagedGzip() throws IOException {
        Path file = Files.write(folder.resolve("n.csv.gz"), new byte[] {0x1f, (byte) 0x8b, 8, 0});
        Path edges = Files.writeString(folder.resolve("edges.csv"), "source,target\na,b\n");
        assertRefused(
                Cli.run("inspect", file + "", "--edges", edges + ""), file + " cannot be read: it ends too early");
    }

    /** A full disk or another end of a pipe: what has not arrived is not a success. */
    @Test
    void whatCannotBePrintedIsSaid() throws IOException, InterruptedException {
        assumeTrue(Files.exists(Path.of("/dev/full")), "skipped: there is no /dev/full here");
        Path log = folder.resolve("log");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.nescio.cli.Nescio",
                        "estimators")
                .redirectOutput(new java.io.File("/dev/full"))
                .redirectError(log.toFile())
                .start();
        assertThat(process.waitFor()).isEqualTo(2);
        assertThat(Files.readString(log))
                .isEqualTo("nescio: not all that was to be printed could be written: No space left on device\n");
    }

    @Test
    void notAZip() throws IOException {
        Path file = Files.writeString(folder.resolve("a.npz"), "not a zip");

        assertRefused(train(file), file + " is not an npz file or is cut off: zip END header not found");
    }

    @Test
    void truncatedFile() throws IOException {
        byte[] bytes = Files.readAllBytes(graph(Map.of()));
        Path cut = Files.write(folder.resolve("cut.npz"), Arrays.copyOf(bytes, bytes.length * 2 / 3));

        assertRefused(train(cut), cut + " is not an npz file or is cut off: zip END header not found");
    }

    @Test
    void wrongDtypeAndShape() {
        Path file = graph(Map.of("edges", new NdArray.Floats(new int[] {1, 2}, new float[2])));
        assertRefused(train(file), file + ": 'edges' has dtype f4, expected whole numbers");
        graph(Map.of("node_features", new NdArray.Floats(new int[] {4}, new float[4])));
        assertRefused(train(file), file + ": 'node_features' has shape [4], expected 2 dimensions");
    }

    @Test
    void edgeToANodeThatIsNotThere() {
        Path file = graph(Map.of("edges", new NdArray.Ints(new int[] {1, 2}, new int[] {0, 4})));

        assertRefused(train(file), file + ": 'edges': edge 0 joins node 0 and node 4, but node numbers go from 0 to 3");
    }

    @Test
    void featureThatIsNotANumber() {
        Path file =
                graph(Map.of("node_features", new NdArray.Floats(new int[] {4, 1}, new float[] {1, Float.NaN, 3, 4})));

        assertRefused(train(file), file + ": feature 0 of node 1 is NaN, but features must be finite");
    }

    @Test
    void labelOutOfRange() {
        Path file = graph(Map.of("node_labels", NdArray.of(0, 1, -3, 1)));

        assertRefused(train(file), file + ": node 2 has label -3, but labels go from 0 to 1 (-1 = unknown)");
    }

    @Test
    void emptyTrainingSet() {
        Path file = graph(Map.of("train_masks", mask(false, false, false, false)));

        assertRefused(train(file), file + ": split '0' has no training nodes");
    }

    @Test
    void oneClass() {
        Path file = graph(Map.of("node_labels", NdArray.of(0, 0, 0, 0)));

        assertRefused(train(file), file + " has 1 class, but a classifier needs at least 2");
    }

    @Test
    void kLargerThanTheTrainingSet() {
        assertRefused(
                train(graph(Map.of()), "--k", "3"),
                "k must be at most the number of training nodes, got k = 3, training nodes = 2");
    }

    @Test
    void unknownOptionSuggestsTheNearest() {
        Cli cli = train(SMALL, "--hiden", "3");

        assertThat(cli.exit()).isEqualTo(2);
        assertThat(cli.err()).isEqualToNormalizingNewlines("""
                nescio: Unknown options: '--hiden', '3'
                Did you mean --hidden?
                Try 'nescio train --help'.
                """);
        assertThat(Cli.run("trian").err()).contains("Did you mean train?");
    }

    @Test
    void valuesThatAreNotPossible() {
        assertRefused(
                train(SMALL, "--dropout", "1.5"), "dropout must be a number of at least 0 and below 1, got '1.5'");
        assertRefused(train(SMALL, "--hidden", "many"), "hidden must be a whole number from 1 to 65536, got 'many'");
        assertRefused(train(SMALL, "--learning-rate", "-1"), "learning-rate must be a number above 0, got '-1'");
        assertRefused(
                train(SMALL, "--learning-rate", "Infinity"), "learning-rate must be a number above 0, got 'Infinity'");
        assertRefused(train(SMALL, "--learning-rate", "1e300"), "learning-rate must be a number above 0, got '1e300'");
        assertRefused(
                train(SMALL, "--weight-decay", "1e300"), "weight-decay must be a number of at least 0, got '1e300'");
        assertRefused(
                train(SMALL, "--model", "gpt"),
                "there is no model 'gpt'; did you mean 'gpn'? There are res-gcn, res-gat-sep, "
                        + "res-gate, gcn, sage, gatv2, gprgnn, fagcn, fsgnn, gpn, sgcn, bgcn");
        assertRefused(
                train(SMALL, "--model", "gatv2", "--hidden", "12"), "the width 12 cannot be divided among 8 heads");
        assertRefused(
                train(SMALL, "--model", "res-gate", "--choose", "heads=many"),
                "heads must be a whole number from 1 to 4096, got 'many'");
        assertRefused(
                train(SMALL, "--choose", "heads=2"),
                "res-gcn has no option 'heads'; did you mean 'hidden'? There are hidden, layers, dropout, multiplier");
        assertRefused(train(SMALL, "--split", "99"), "blocks has no split '99'; it has 0, 1, 2, 3, 4, 5, 6, 7, 8, 9");
        assertRefused(train(SMALL, "--leave-out", "red"), "blocks has no class 'red'; it has 0, 1, 2, 3, 4");
        assertRefused(
                train(SMALL, "--leave-out", "first:4"), "leaving out 4 of 5 classes leaves fewer than 2 to learn");
        assertRefused(train(SMALL, "--threads", "0"), "the number of threads must lie between 1 and 128, got 0");
        assertRefused(
                train(SMALL, "--components", "x"),
                "components: expected a share of variance (0.95), a number of components (16), none or auto, got 'x'");
        assertRefused(train("builtin:nothing"), "there is no built-in graph 'nothing'; there are blocks, mixed, moons");
        assertThat(train(SMALL, "--device", "cuda").err())
                .startsWith("nescio: device 'cuda' is not available: this version of Nescio computes on the cpu only");
        assertThat(train(SMALL, "--device", "cuda").exit()).isEqualTo(2);
    }

    @Test
    void aGraphOfAnotherWidthIsRefusedByTheModel() {
        Path model = folder.resolve("model");
        Cli.run("train", SMALL, "--out", model.toString(), "--epochs", "2", "--hidden", "4");

        assertRefused(
                Cli.run("score", model.toString(), "builtin:moons", "--out", out() + ".csv"),
                "moons has 2 features per node, but " + model + " was trained on 32");
    }

    @Test
    void aPlaceThatIsTakenIsRefusedBeforeTraining() throws IOException {
        Path precious = Files.writeString(
                        Files.createDirectory(folder.resolve("d")).resolve("x"), "y")
                .getParent();

        assertRefused(
                Cli.run("train", SMALL, "--out", precious.toString()),
                precious + " exists and is not a saved detector; it is left alone");
    }

    /** Hours of training must not end with a file that cannot be written. */
    @Test
    void aPlaceWhereNothingCanBeWrittenIsRefusedBeforeTraining() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "precious");
        String below = file.resolve("model").toString();
        String message = below + " cannot be written: file is not a folder";
        for (String[] command : List.of(
                new String[] {"train", SMALL, "--out", below, "--epochs", "1000000"},
                new String[] {"demo", "--out", file.toString()},
                new String[] {"tune", SMALL, "--out", below})) {
            assertRefused(Cli.run(command), message);
        }
        Path model = folder.resolve("model");
        assertThat(Cli.run("train", SMALL, "--out", model.toString(), "--epochs", "2", "--hidden", "4")
                        .exit())
                .isZero();
        assertRefused(
                Cli.run("score", model.toString(), SMALL, "--out", below + ".csv"),
                below + ".csv cannot be written: file is not a folder");
        assertRefused(
                Cli.run("tune", SMALL, "--out", folder.toString()), folder + " is not a file that could be replaced");
        assertThat(file).hasContent("precious");
    }

    @Test
    void levelsThatAreNoSharesAreRefusedAlsoWithoutNewNodes() {
        Path model = folder.resolve("model");
        Cli.run("train", SMALL, "--out", model.toString(), "--epochs", "2", "--hidden", "4");
        for (String flag : List.of("--alpha", "--level")) {
            assertRefused(
                    Cli.run("watch", model.toString(), SMALL, flag, "7"), "a level must lie between 0 and 1, got 7.0");
        }
    }

    @Test
    void whatIsMissingIsSaidInWords() throws IOException {
        Path missing = folder.resolve("missing.csv");
        Path nodes = Files.writeString(folder.resolve("n.csv"), "id,x,label\na,1,u\nb,2,v\n");
        Path edges = Files.writeString(folder.resolve("e.csv"), "from,to\na,b\n");
        assertRefused(
                train(nodes, "--edges", edges.toString(), "--label", "label", "--labels", missing.toString()),
                missing + " cannot be read: no such file");
        assertRefused(
                Cli.run("study", "run", "smoke", "--out", nodes.toString()),
                nodes + " cannot be created: file already exists");
        for (String[] wrong : List.of(
                new String[] {"--token-file", missing.toString(), missing + " cannot be read: no such file"},
                new String[] {
                    "--tls-cert",
                    nodes + "x",
                    "--tls-key",
                    nodes.toString(),
                    "TLS cannot be set up with " + nodes + "x: no such file"
                },
                new String[] {"--store", nodes.toString(), "the store " + nodes + " cannot be used: file already exists"
                })) {
            List<String> command = new ArrayList<>(List.of("serve", "demo", "--port", "0", "--quiet"));
            command.addAll(Arrays.asList(wrong).subList(0, wrong.length - 1));
            assertRefused(Cli.run(command.toArray(String[]::new)), wrong[wrong.length - 1]);
        }
    }

    @Test
    void aGraphWithoutEdges() {
        Path file = graph(Map.of("edges", new NdArray.Ints(new int[] {0, 2}, new int[0])));

        assertRefused(train(file), file + " has no edges, but message passing needs at least one");
        assertRefused(train(file, "--dry-run"), file + " has no edges, but message passing needs at least one");
    }

    @Test
    void namesAndNumbersWithoutAMeaning() {
        assertRefused(Cli.run("inspect", ""), "an empty file name was given");
        assertRefused(Cli.run("train", SMALL, "--out", ""), "an empty file name was given");
        assertRefused(
                train(SMALL, "--states", "9"), "there is no state 9; states go from 0 to 2, or from -1 back to -3");
        assertRefused(
                train(SMALL, "--hidden", "60000"),
                "a width of 60000 makes a weight matrix of 3600000000 numbers; the limit is 2147483647");
    }

    @Test
    void tuningOneValueAlone() {
        assertRefused(
                Cli.run("tune", SMALL, "--hidden", "8", "--out", "best"),
                "tune tries several values of hidden (64, 512): list your values there instead of giving --hidden");
    }

    @Test
    void whatIsNoNoise() {
        for (String word : new String[] {"clean", "leave-out"}) {
            assertRefused(
                    Cli.run("evaluate", SMALL, "--splits", "0", "--noise", word),
                    "--noise takes near or far, got '" + word + "'");
        }
        assertRefused(
                Cli.run("evaluate", SMALL, "--splits", "0", "--noise", "nera"),
                "there is no shift 'nera'; did you mean 'near'? There are clean, leave-out, near, far");
    }

    /** Numbers that would keep a machine busy for ever. */
    @Test
    void numbersWithoutSenseAreRefused() throws IOException {
        assertRefused(
                train(SMALL, "--estimator", "mcd", "--passes", "2147483647"),
                "passes must be a whole number from 2 to 10000, got '2147483647'");
        assertRefused(
                train(SMALL, "--layers", "2147483647"),
                "layers must be a whole number from 1 to 1000, got '2147483647'");
        for (String splits : List.of("splits: 2147483647\ndata: [a]", "data: [{name: a, splits: 2147483647}]")) {
            Path yaml = Files.writeString(folder.resolve("many.yaml"), splits + "\n");
            assertRefused(
                    Cli.run(
                            "study",
                            "run",
                            yaml.toString(),
                            "--out",
                            folder.resolve("never").toString()),
                    yaml + ": splits must be a whole number from 1 to 10000, got '2147483647'");
        }
    }

    @Test
    void aStudyIsExportedToAFileAlone() throws IOException {
        Path study = folder.resolve("study");
        Store.create(study);
        assertRefused(Cli.run("study", "export", study.toString(), "/"), "/ should end in .csv, .json or .parquet");
        Path taken = Files.createDirectory(folder.resolve("taken.csv"));
        assertRefused(
                Cli.run("study", "export", study.toString(), taken.toString()),
                taken + " is not a file that could be replaced");
    }

    @Test
    void studiesAreNamedOrRefused() throws IOException {
        Path twice = Files.writeString(folder.resolve("twice.yaml"), "name: a\nname: b\n");
        assertThat(Cli.run(
                                "study",
                                "run",
                                twice.toString(),
                                "--out",
                                folder.resolve("never").toString())
                        .err())
                .contains("twice.yaml, line 2 is not YAML: ", "Duplicate")
                .hasLineCount(1);
        assertRefused(
                Cli.run("study", "show", "mine.yaml"),
                "no study called 'mine.yaml' ships with Nescio; there are smoke, quick, extended, paper");
    }

    private static String table(String header, int rows, IntFunction<String> row) {
        return header + "\n" + IntStream.range(0, rows).mapToObj(row).collect(Collectors.joining("\n")) + "\n";
    }

    /** Their squares overflow a float: principal components of them failed inside libtorch. */
    @Test
    void hugeFeaturesAndStates() throws IOException {
        float[] features = new float[120];
        int[] edges = new int[120];
        boolean[][] roles = new boolean[3][60];
        for (int i = 0; i < 60; i++) {
            features[2 * i] = (i % 7 - 3) * 1e30f;
            features[2 * i + 1] = (i % 5 - 2) * 1e30f;
            edges[2 * i] = i;
            edges[2 * i + 1] = (i + 1) % 60;
            roles[i % 3][i] = true;
        }
        Path nodes = graph(Map.of(
                "node_features", new NdArray.Floats(new int[] {60, 2}, features),
                "node_labels", NdArray.of(IntStream.range(0, 60).map(i -> i % 2).toArray()),
                "edges", new NdArray.Ints(new int[] {60, 2}, edges),
                "train_masks", mask(roles[0]),
                "val_masks", mask(roles[1]),
                "test_masks", mask(roles[2])));
        String message =
                "the features or states are so large that their covariance overflows; divide them by a constant first";
        assertRefused(Cli.run("fit", nodes.toString(), "--quiet", "--out", out()), message);

        Path states = Files.writeString(
                folder.resolve("states.csv"), table("x,y", 60, i -> (i % 7 - 3) + "e30," + (i % 5 - 2) + "e30"));
        Path train = Files.writeString(folder.resolve("train.csv"), table("node", 40, Integer::toString));
        assertRefused(
                Cli.run(
                        "fit",
                        "--states",
                        states.toString(),
                        "--train",
                        train.toString(),
                        "--estimator",
                        "jlde",
                        "--components",
                        "1",
                        "--k",
                        "2",
                        "--out",
                        out()),
                message);
        for (String estimator : List.of("jlde", "mahalanobis", "ebm", "jlde-relative")) {
            Cli trained = train(nodes, "--estimator", estimator, "--hidden", "4", "--quiet");
            assertThat(trained.exit()).as(trained.err()).isEqualTo(2);
            assertThat(trained.err()).startsWith("nescio: ").hasLineCount(1);
        }
    }

    @Test
    void unknownEstimators() {
        assertRefused(
                train(SMALL, "--estimator", "jlde,magic"),
                "there is no estimator 'magic'; did you mean 'mcd'? There are jlde, jlde-kde, jlde-mixture, "
                        + "jlde-relative, jlde-relative-kde, jlde-relative-mixture, jlde-smoothed, mahalanobis, ebm, gnnsafe, gebm, mcd, "
                        + "mcd-information, mcd-entropy, ensemble, ensemble-information, ensemble-entropy, evidential");
        assertRefused(train(SMALL, "--estimator", "ebm,ebm"), "each estimator can be named once, got ebm, ebm");
    }
}
