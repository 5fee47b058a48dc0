// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark;

import dev.nescio.detector.Decisions;
import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.Preprocessing;
import dev.nescio.graph.TableSchema;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.graph.TableLayout;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.network.Architectures;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.option.OptionGroup;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.spark.study.SparkStudy;
import dev.nescio.spark.study.SparkTuning;
import dev.nescio.study.Tuning;
import dev.nescio.uncertainty.estimator.Estimators;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** What {@code spark-submit} runs: commands for graphs that one machine cannot hold. */
public final class NescioSpark {

    static final int OK = 0;
    static final int WRONG = 2;

    private static final String USAGE = """
            usage: spark-submit [...] nescio-spark.jar COMMAND

              score DETECTOR NODES EDGES --out PLACE    score every node
                  --alpha SHARE        flag unusually uncertain nodes
                  --false-alarms SHARE list unusual nodes, of which at most this share is ordinary
                  --accuracy SHARE     abstain from the most uncertain predictions
                  --label-sets SHARE   list all likely labels
                  --estimator NAMES    of those that were fitted, the first one as epistemic uncertainty
                  --probabilities      a column per class
                  --drop-dangling      leave out edges to unknown nodes instead of refusing them
                  --blocks N           blocks that nodes are cut into (default: two per core)
                  --shards N           parts that training rows are sent in (default: one per 512 MiB)
                  --dry-run            check everything that can be checked without running, and stop

              train NODES EDGES --label COLUMN --out FILE    train fsgnn; the detector goes to the driver's disk
                  --split RULE         60/20/20:SEED or another rule (default: the table's own split, or 60/20/20)
                  --estimator NAMES    what measures epistemic uncertainty (default: jlde-relative)
                  --blocks N           as with score
                  --id, --columns, --ignore, --categorical, --missing, --raw, --split-column, --source, --target, --directed,
                  --drop-dangling      what the columns mean, as with 'nescio train'
                  --OPTION VALUE       any option of the model, the training, the preprocessing and the detector as with 'nescio train'

              pack NODES EDGES --out FILE               pack both tables into one file on the driver's disk
                  --like DETECTOR      columns mean what they meant to this detector
                  --label COLUMN       of labels; and the other flags for columns, as with train

              study STUDY --out FOLDER                  run a study; results go to a folder of the driver
                  --data FOLDER        of the data sets, at the same place on every machine (default: .)

              tune GRAPH --out FILE                     find the settings of a model that do best; FILE and FILE.trials go to the driver's disk
                  --model NAME         see 'nescio models' (default: res-gcn)
                  --splits NAMES       by name or range (default: 0-2)
                  --widths, --dropouts, --learning-rates, --weight-decays VALUES    to try, separated by commas
                  --try NAME=VALUES    values to try for any other option of the model or the training; can be given several times
                  --choose NAME=VALUE  an option of this model; can be given several times
                  --edges, --leave-out, --OPTION VALUE, flags for columns           as with 'nescio tune'; files at the same place on every machine
                  --dry-run            say how many trainings are left, and stop

              NODES, EDGES and PLACE end in .parquet, .csv or .csv.gz and may be files or folders anywhere that Spark reads from.
            """;

    private final SparkSession spark;
    private final PrintStream out;
    private final PrintStream err;

    NescioSpark(SparkSession spark, PrintStream out, PrintStream err) {
        this.spark = spark;
        this.out = out;
        this.err = err;
    }

    /** Runs a command in the session that {@code spark-submit} has configured. */
    public static void main(String[] arguments) throws Exception {
        int code;
        try (SparkSession spark = SparkSession.builder().appName("nescio").getOrCreate()) {
            code = new NescioSpark(spark, System.out, System.err).run(arguments);
        }
        if (code != OK) {
            System.exit(code);
        }
    }

    /** The exit code of a command: 2 for a mistake of the user, which is explained in one sentence. */
    int run(String... arguments) throws Exception {
        try {
            if (arguments.length == 0 || List.of(arguments).contains("--help")) {
                out.print(USAGE);
                return arguments.length == 0 ? WRONG : OK;
            }
            List<String> rest = Arrays.asList(arguments).subList(1, arguments.length);
            switch (arguments[0]) {
                case "score" -> score(rest);
                case "train" -> train(rest);
                case "pack" -> pack(rest);
                case "study" -> study(rest);
                case "tune" -> tune(rest);
                default ->
                    throw new BadConfiguration(
                            "there is no command '" + arguments[0] + "'; there are score, train, pack, study and tune");
            }
            return OK;
        } catch (Exception e) {
            String mistake = Mistakes.of(e);
            if (mistake == null) {
                throw e;
            }
            err.println("error: " + mistake);
            return WRONG;
        }
    }

    private void score(List<String> given) {
        Arguments arguments = new Arguments(
                given,
                List.of(
                        "--out",
                        "--alpha",
                        "--false-alarms",
                        "--accuracy",
                        "--label-sets",
                        "--estimator",
                        "--blocks",
                        "--shards"),
                List.of("--probabilities", "--drop-dangling", "--dry-run"));
        List<String> places = arguments.places("DETECTOR", "NODES", "EDGES");
        String target = arguments.required("--out");
        Tables.requireFree(target, spark);
        String estimators = arguments.text("--estimator");
        SparkScoring.Options options = new SparkScoring.Options(
                estimators == null ? List.of() : Estimators.split(estimators),
                new Decisions.Wishes(
                        arguments.share("--alpha"),
                        arguments.share("--false-alarms"),
                        arguments.share("--accuracy"),
                        arguments.share("--label-sets")),
                arguments.has("--probabilities"),
                arguments.has("--drop-dangling"),
                arguments.count("--blocks"),
                arguments.count("--shards"));
        Detector detector = DetectorFile.read(Path.of(places.get(0)));
        Dataset<Row> nodes = Tables.read(places.get(1), spark);
        Dataset<Row> edges = Tables.read(places.get(2), spark);
        SparkScoring.require(detector, nodes, edges, options);
        SparkScoring.remarks(detector, options).forEach(err::println);
        if (arguments.has("--dry-run")) {
            out.println("would score the nodes of " + places.get(1) + " with " + places.get(0));
            return;
        }
        Dataset<Row> scores = SparkScoring.score(detector, nodes, edges, options, this::tell);
        Tables.write(scores, target);
        Counts counts = Counts.of(Tables.read(target, spark));
        counts.remarks().forEach(err::println);
        out.println(target + ": " + counts.text());
    }

    private void train(List<String> given) {
        List<OptionGroup> groups = List.of(
                Architectures.named("fsgnn").options(),
                TrainingOptions.GROUP,
                Preprocessing.GROUP,
                DetectorOptions.GROUP);
        List<String> withValue = new ArrayList<>(List.of("--out", "--split", "--estimator", "--blocks"));
        withValue.addAll(LayoutFlags.WITH_VALUE);
        List<String> without = new ArrayList<>(LayoutFlags.WITHOUT_VALUE);
        for (OptionGroup group : groups) {
            group.options().forEach(option -> (option.isFlag() ? without : withValue).add("--" + option.name()));
        }
        Arguments arguments = new Arguments(given, withValue, without);
        List<String> places = arguments.places("NODES", "EDGES");
        Path target = Path.of(arguments.required("--out"));
        DetectorFile.requireWritable(target);
        SparkTraining.Options standard = SparkTraining.Options.defaults();
        Map<String, String> training = arguments.among(TrainingOptions.GROUP);
        training.putIfAbsent(TrainingOptions.BATCH_NODES.name(), String.valueOf(SparkTraining.BATCH_NODES));
        String estimators = arguments.text("--estimator");
        DetectorOptions detector = new DetectorOptions(
                standard.detector().architecture(),
                new ModelOptions(groups.get(0).parse(arguments.among(groups.get(0)))),
                new TrainingOptions(TrainingOptions.GROUP.parse(training)),
                new Preprocessing(Preprocessing.GROUP.parse(arguments.among(Preprocessing.GROUP))),
                estimators == null ? standard.detector().estimators() : Estimators.parseAll(estimators),
                DetectorOptions.GROUP.parse(arguments.among(DetectorOptions.GROUP)),
                Set.of());
        TableLayout layout = LayoutFlags.of(arguments);
        Detector trained = SparkTraining.train(
                Tables.read(places.get(0), spark),
                Tables.read(places.get(1), spark),
                new SparkTraining.Options(
                        layout, arguments.text("--split"), detector, standard.memory(), arguments.count("--blocks")),
                this::tell,
                TrainingListener.NONE);
        DetectorFile.write(trained, target);
        out.printf(
                Locale.ROOT,
                "%s: epoch %d of %d, validation accuracy %.4f%n",
                target,
                trained.provenance().bestEpoch(),
                trained.provenance().epochs(),
                trained.provenance().validationAccuracy());
    }

    private void tell(int round, int rounds, double seconds) {
        err.printf(Locale.ROOT, "round %d of %d: %.1f s%n", round, rounds, seconds);
    }

    private void pack(List<String> given) {
        List<String> withValue = new ArrayList<>(List.of("--out", "--like"));
        withValue.addAll(LayoutFlags.WITH_VALUE);
        Arguments arguments = new Arguments(given, withValue, LayoutFlags.WITHOUT_VALUE);
        List<String> places = arguments.places("NODES", "EDGES");
        String detector = arguments.text("--like");
        TableSchema known =
                detector == null ? null : DetectorFile.read(Path.of(detector)).schema();
        TableLayout layout = LayoutFlags.of(arguments);
        String target = arguments.required("--out");
        SparkPacking.pack(
                Tables.read(places.get(0), spark), Tables.read(places.get(1), spark), layout, known, Path.of(target));
        out.println(target);
    }

    private void study(List<String> given) {
        Arguments arguments = new Arguments(given, List.of("--out", "--data"), List.of());
        String study = arguments.places("STUDY").get(0);
        String target = arguments.required("--out");
        String data = arguments.text("--data");
        new SparkStudy(
                        study,
                        Path.of(data == null ? "." : data)
                                .toAbsolutePath()
                                .normalize()
                                .toString())
                .run(
                        Path.of(target),
                        JavaSparkContext.fromSparkContext(spark.sparkContext()),
                        (done, all, share) -> err.printf(Locale.ROOT, "group %d of %d%n", done, all));
        out.println(target);
    }

    private void tune(List<String> given) {
        TuneArguments recipe = new TuneArguments(given);
        Arguments arguments = recipe.arguments();
        Path target = Path.of(arguments.required("--out"));
        AtomicFile.requireReplaceable(target);
        Tuning tuning = recipe.tuning(Path.of(target + ".trials"));
        JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
        if (arguments.has("--dry-run")) {
            out.println(tuning.trainings() + " trainings, " + tuning.left() + " left to do, "
                    + context.defaultParallelism() + " at a time");
            return;
        }
        new SparkTuning(recipe)
                .run(tuning, context, (done, all) -> err.printf(Locale.ROOT, "training %d of %d%n", done, all));
        Tuning.Result result = tuning.result();
        AtomicFile.write(target, tuning.arguments(recipe.place(), result));
        result.ranked().forEach(tried -> out.println(tried.text()));
        out.printf(
                Locale.ROOT,
                "%s contains the best settings (%d tied, lowest loss chosen); test accuracy %.4f, standard deviation %.4f%n",
                target,
                result.tied(),
                result.best().testAccuracy().mean(),
                result.best().testAccuracy().std());
    }
}
