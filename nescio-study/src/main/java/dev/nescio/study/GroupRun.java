package dev.nescio.study;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.Evaluation;
import dev.nescio.detector.MemoryEstimate;
import dev.nescio.detector.SamplingOptions;
import dev.nescio.detector.Scores;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Preprocessing;
import dev.nescio.graph.Split;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.io.detector.NetworkFile;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.network.Architectures;
import dev.nescio.model.training.EpochTime;
import dev.nescio.model.training.Trainer;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.problem.BadInput;
import dev.nescio.problem.Diverged;
import dev.nescio.progress.Progress;
import dev.nescio.random.Seed;
import dev.nescio.shift.FeatureNoise;
import dev.nescio.shift.LeaveOutClasses;
import dev.nescio.tensor.Engine;
import dev.nescio.tensor.Parallel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Trains the networks of a group, or takes those that an interrupted run has left, and finds out what the group asks. */
final class GroupRun {

    private static final System.Logger LOG = System.getLogger(GroupRun.class.getName());
    private static final double NOISY_SHARE = 0.1;
    private static final int CONFIDENCE_BINS = 20;

    private final Study study;
    private final Group group;
    private final Path networks;
    private final Graph whole;
    private final Split split;
    /** What training and fitting see. */
    private final LeaveOutClasses.Rest taught;

    private final Preprocessing preprocessing;

    private final List<Row> rows = new ArrayList<>();
    private final List<Store.Bin> bins = new ArrayList<>();
    private final Map<Shift, FeatureNoise.Noisy> noisy = new EnumMap<>(Shift.class);
    private final Map<Shift, Graph> prepared = new EnumMap<>(Shift.class);
    private double secondsAtWork;

    /** @param networks folder where trained networks wait until the group is finished */
    GroupRun(Study study, Group group, Path networks) {
        this.study = study;
        this.group = group;
        this.networks = networks;
        this.whole = group.data().graph();
        this.split = group.data().split(group.split());
        this.taught = group.leavesOut() && study.dropLeftOut()
                ? new LeaveOutClasses(whole, group.data().leftOut()).rest(split)
                : new LeaveOutClasses.Rest(whole, split);
        this.preprocessing = preprocessing(group);
    }

    /** What the settings of the model say, otherwise what the data set is known by. */
    private static Preprocessing preprocessing(Group group) {
        Preprocessing chosen = group.settings().preprocessing();
        return chosen == null ? group.data().preprocessing() : chosen;
    }

    /** A trained network and how long that took. */
    private record Trained(Trainer.Result result, double seconds) {}

    void run(Store store) {
        List<Optional<Trained>> networks = IntStream.range(0, group.networks(study))
                .mapToObj(this::network)
                .toList();
        Map<EstimatorChoice, List<Group.Work>> byEstimator = new LinkedHashMap<>();
        group.work().forEach(piece -> byEstimator
                .computeIfAbsent(piece.estimator(), e -> new ArrayList<>())
                .add(piece));
        byEstimator.forEach((estimator, work) -> {
            if (work.get(0).needsEnsemble()) {
                judgeIfPossible(estimator, work, 0, networks.subList(0, group.members()));
            } else {
                for (int i = 0; i < study.initialisations(); i++) {
                    judgeIfPossible(estimator, work, i, networks.subList(i, i + 1));
                }
            }
        });
        store.add(rows, bins);
        forgetNetworks();
    }

    /** Where a training has diverged or scores are not numbers, rows without numbers say so, and the study goes on. */
    private void judgeIfPossible(
            EstimatorChoice estimator, List<Group.Work> work, int initialisation, List<Optional<Trained>> networks) {
        List<Trained> trained = networks.stream().flatMap(Optional::stream).toList();
        List<Row> judged = List.of();
        if (trained.size() == networks.size()) {
            try {
                judged = judge(estimator, work, initialisation, trained);
            } catch (BadInput e) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        group.data().name() + ", " + group.model() + ", " + estimator.text() + ": " + e.getMessage());
            }
        }
        Row.Provenance nothing = provenance(estimator, List.of(), initialisation, 0, 0);
        rows.addAll(
                judged.isEmpty()
                        ? work.stream()
                                .map(piece -> new Row(group.cell(piece, initialisation), Map.of(), nothing))
                                .toList()
                        : judged);
    }

    private DetectorOptions options(EstimatorChoice estimator) {
        return DetectorOptions.defaults()
                .withHeldOut(0)
                .withArchitecture(group.model())
                .withModel(group.settings().model())
                .withTraining(group.settings().training())
                .withPreprocessing(preprocessing)
                .withEstimators(List.of(estimator.name()))
                .withJlde(estimator.jlde())
                .withSampling(new SamplingOptions(study.passes(), group.members()))
                .withLeftOut(group.leavesOut() ? group.data().leftOut() : Set.of());
    }

    /** Refuses what cannot be done, before anything is trained. */
    void requirePossible() {
        group.work()
                .forEach(
                        piece -> Detector.requireTrainable(taught.graph(), taught.split(), options(piece.estimator())));
    }

    /** Nothing where the training diverges. */
    private Optional<Trained> network(int member) {
        Path file = networkFile(member);
        Path time = file.resolveSibling(file.getFileName() + ".seconds");
        DetectorOptions options = options(group.work().iterator().next().estimator());
        Lesson lesson = lesson(options);
        if (Files.exists(file) && Files.exists(time)) {
            Architecture.Shape shape = new Architecture.Shape(
                    lesson.graph.features().columns(), lesson.graph.classes().size());
            return Optional.of(new Trained(
                    NetworkFile.read(file, Architectures.named(group.model()), shape, options.model()), seconds(time)));
        }
        long begin = System.nanoTime();
        Trainer.Result result;
        try {
            result = new Trainer(
                            Architectures.named(group.model()),
                            options.model(),
                            options.training().member(member))
                    .train(lesson.graph, lesson.split, TrainingListener.NONE);
        } catch (Diverged e) {
            LOG.log(System.Logger.Level.WARNING, group.data().name() + ", " + group.model() + ": " + e.getMessage());
            return Optional.empty();
        }
        double seconds = secondsSince(begin);
        NetworkFile.write(file, result);
        AtomicFile.write(time, Double.toString(seconds));
        return Optional.of(new Trained(result, seconds));
    }

    /** Time in trainings and estimators, without what the study does around them. */
    double secondsAtWork() {
        return secondsAtWork;
    }

    private double secondsSince(long begin) {
        double seconds = (System.nanoTime() - begin) / 1e9;
        secondsAtWork += seconds;
        return seconds;
    }

    /** What training sees. */
    private record Lesson(Graph graph, Split split) {}

    private Lesson lesson(DetectorOptions options) {
        Graph graph = options.preprocessing().apply(taught.graph());
        if (!group.leavesOut()) {
            return new Lesson(graph, taught.split());
        }
        LeaveOutClasses shift = new LeaveOutClasses(graph, group.data().leftOut());
        return new Lesson(shift.graph(), shift.split(taught.split()));
    }

    /** About how large a process becomes that runs some such groups side by side. */
    long mebibytes(int atATime) {
        return MemoryEstimate.training(
                whole, options(group.work().iterator().next().estimator()), atATime);
    }

    /** On one core. */
    double secondsPerEpoch() {
        DetectorOptions options = options(group.work().iterator().next().estimator());
        Lesson lesson = lesson(options);
        double[] seconds = new double[1];
        Parallel.sideBySide(
                1,
                i -> seconds[i] = EpochTime.seconds(
                        Architectures.named(group.model()), options.model(), lesson.graph, lesson.split));
        return seconds[0];
    }

    private static double seconds(Path file) {
        try {
            return Double.parseDouble(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path networkFile(int member) {
        // The options decide what a network is; another setting must not take it for its own.
        String key = group.data().fingerprint() + training(group) + group.leavesOut() + study.dropLeftOut();
        return networks.resolve(String.join(
                        "-",
                        group.data().name().replaceAll("\\W+", "_"),
                        group.model(),
                        "" + group.split(),
                        group.leavesOut() ? "leave-out" : "clean",
                        "" + member,
                        Long.toHexString(new Seed(0).split(key).value()))
                + ".safetensors");
    }

    private void forgetNetworks() {
        for (int i = 0; i < group.networks(study); i++) {
            Path file = networkFile(i);
            try {
                Files.deleteIfExists(file);
                Files.deleteIfExists(file.resolveSibling(file.getFileName() + ".seconds"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private List<Row> judge(
            EstimatorChoice estimator, List<Group.Work> work, int initialisation, List<Trained> trained) {
        List<Row> judged = new ArrayList<>();
        DetectorOptions options = options(estimator);
        long begin = System.nanoTime();
        Detector detector = Detector.of(
                taught.graph(),
                taught.split(),
                options,
                trained.stream().map(Trained::result).toList());
        double fit = secondsSince(begin);
        int[] labels = Evaluation.learnedLabels(detector, whole);
        for (Group.Work piece : work) {
            Graph prepared = prepared(piece.shift());
            long start = System.nanoTime();
            Scores scores = detector.scorePrepared(prepared, Progress.NONE);
            double score = secondsSince(start);
            Scores.Opinion opinion = scores.byEstimator().get(estimator.name());
            Cell cell = group.cell(piece, initialisation);
            Measures measures =
                    Measures.of(opinion, labels, split.test(), strange(piece.shift()), study.calibrationBins());
            judged.add(new Row(cell, measures.values(), provenance(estimator, trained, initialisation, fit, score)));
            if (piece.shift() == Shift.CLEAN && estimator.text().equals("jlde")) {
                bins.addAll(confidence(cell, opinion, labels));
            }
        }
        return judged;
    }

    private Row.Provenance provenance(
            EstimatorChoice estimator, List<Trained> trained, int initialisation, double fit, double score) {
        return new Row.Provenance(
                trained.stream().mapToDouble(Trained::seconds).sum(),
                fit,
                score,
                trained.stream().mapToInt(t -> t.result.epochs()).sum(),
                trained.isEmpty() ? Double.NaN : trained.get(0).result.validationAccuracy(),
                group.settings().training().member(initialisation).seed(),
                optionsText(study, group, estimator),
                group.data().fingerprint(),
                "nescio " + DetectorFile.version() + ", libtorch " + Engine.version());
    }

    /** All that decides what a cell comes to, besides the cell and the data. */
    static String optionsText(Study study, Group group, EstimatorChoice estimator) {
        return String.join(
                "; ",
                training(group),
                estimator.jlde().toString(),
                "members " + group.members(),
                "passes " + study.passes(),
                "drop left-out nodes " + study.dropLeftOut(),
                "calibration bins " + study.calibrationBins());
    }

    /** All that decides what a network becomes, besides the data; standards are written out, since they may change. */
    private static String training(Group group) {
        ModelOptions model = group.settings().model();
        Map<String, String> choices = new TreeMap<>();
        Architectures.named(group.model()).about().choices().forEach(c -> choices.put(c.name(), c.standard()));
        choices.putAll(model.choices());
        return String.join(
                "; ",
                model.withChoices(choices).toString(),
                group.settings().training().toString(),
                preprocessing(group).toString());
    }

    private Graph prepared(Shift shift) {
        return prepared.computeIfAbsent(shift, s -> switch (s) {
            case CLEAN, LEAVE_OUT -> preprocessing.apply(whole);
            case NEAR, FAR -> noisy(s).prepared();
        });
    }

    private NodeSet strange(Shift shift) {
        return switch (shift) {
            case CLEAN -> NodeSet.of();
            case LEAVE_OUT -> split.test().filter(v -> group.data().leftOut().contains(whole.label(v)));
            case NEAR, FAR -> split.test().filter(noisy(shift).nodes()::contains);
        };
    }

    private FeatureNoise.Noisy noisy(Shift shift) {
        return noisy.computeIfAbsent(shift, s -> new FeatureNoise(
                        s == Shift.NEAR ? FeatureNoise.Kind.NEAR : FeatureNoise.Kind.FAR,
                        NOISY_SHARE,
                        study.seed() + group.split())
                .apply(whole, preprocessing, split));
    }

    /** Test nodes by how confident the estimator is, from the least to the most confident one in equal steps. */
    private List<Store.Bin> confidence(Cell cell, Scores.Opinion opinion, int[] labels) {
        int[] nodes = split.test().toArray();
        double lowest = Double.POSITIVE_INFINITY;
        double highest = Double.NEGATIVE_INFINITY;
        for (int v : nodes) {
            lowest = Math.min(lowest, -opinion.epistemic()[v]);
            highest = Math.max(highest, -opinion.epistemic()[v]);
        }
        int[] count = new int[CONFIDENCE_BINS];
        int[] right = new int[CONFIDENCE_BINS];
        for (int v : nodes) {
            double confidence = (-opinion.epistemic()[v] - lowest) / Math.max(1e-300, highest - lowest);
            int bin = Math.min(CONFIDENCE_BINS - 1, (int) (confidence * CONFIDENCE_BINS));
            count[bin]++;
            right[bin] += opinion.prediction().label()[v] == labels[v] ? 1 : 0;
        }
        List<Store.Bin> all = new ArrayList<>();
        for (int b = 0; b < CONFIDENCE_BINS; b++) {
            if (count[b] > 0) {
                all.add(new Store.Bin(cell, b, count[b], (double) right[b] / count[b]));
            }
        }
        return all;
    }
}
