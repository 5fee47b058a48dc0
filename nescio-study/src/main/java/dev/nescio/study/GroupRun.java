// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.Evaluation;
import dev.nescio.detector.MemoryEstimate;
import dev.nescio.detector.Scores;
import dev.nescio.detector.TrainingView;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.io.detector.NetworkFile;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.model.Architecture;
import dev.nescio.model.training.EpochTime;
import dev.nescio.model.training.Trainer;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.problem.BadInput;
import dev.nescio.problem.BadModelFile;
import dev.nescio.problem.Diverged;
import dev.nescio.progress.Progress;
import dev.nescio.random.Seed;
import dev.nescio.shift.Shift;
import dev.nescio.shift.Shifts;
import dev.nescio.tensor.Engine;
import dev.nescio.tensor.Parallel;
import dev.nescio.uncertainty.EstimatorSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Trains the networks of a group, or takes those that an interrupted run has left, and finds out what the group asks. */
final class GroupRun {

    private static final System.Logger LOG = System.getLogger(GroupRun.class.getName());
    private static final int CONFIDENCE_BINS = 20;

    private final Study study;
    private final Group group;
    private final Path networks;
    private final Graph whole;
    private final Split split;
    private final List<Row> rows = new ArrayList<>();
    private final List<Store.Bin> bins = new ArrayList<>();
    private final Map<Shift, Shift.Shifted> shifted = new HashMap<>();
    private @Nullable TrainingView view;
    private double secondsAtWork;

    /** @param networks folder where trained networks wait until the group is finished */
    GroupRun(Group group, Path networks) {
        this.study = group.study();
        this.group = group;
        this.networks = networks;
        this.whole = group.data().graph();
        this.split = group.data().split(group.split());
    }

    /** A trained network and how long that took. */
    private record Trained(Trainer.Result result, double seconds) {}

    void run(Store store) {
        List<Optional<Trained>> networks =
                IntStream.range(0, group.networks()).mapToObj(this::network).toList();
        Map<EstimatorSpec, List<Group.Work>> byEstimator = new LinkedHashMap<>();
        group.work().forEach(piece -> byEstimator
                .computeIfAbsent(piece.estimator(), e -> new ArrayList<>())
                .add(piece));
        byEstimator.values().forEach(work -> {
            if (work.get(0).needsEnsemble()) {
                judgeIfPossible(work, 0, networks.subList(0, group.members(work.get(0))));
            } else {
                for (int i = 0; i < study.initialisations(); i++) {
                    judgeIfPossible(work, i, networks.subList(i, i + 1));
                }
            }
        });
        store.add(rows, bins);
        forgetNetworks();
    }

    /** Where a training has diverged or scores are not numbers, rows without numbers say so, and the study goes on. */
    private void judgeIfPossible(List<Group.Work> work, int initialisation, List<Optional<Trained>> networks) {
        List<Trained> trained = networks.stream().flatMap(Optional::stream).toList();
        List<Row> judged = List.of();
        if (trained.size() == networks.size()) {
            try {
                judged = judge(work, initialisation, trained);
            } catch (BadInput e) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        group.data().name() + ", " + group.model() + ", "
                                + work.get(0).estimator() + ": " + e.getMessage());
            }
        }
        Row.Provenance nothing = provenance(work.get(0), List.of(), initialisation, 0, 0);
        rows.addAll(
                judged.isEmpty()
                        ? work.stream()
                                .map(piece -> new Row(group.cell(piece, initialisation), Map.of(), nothing))
                                .toList()
                        : judged);
    }

    private DetectorOptions options(Group.Work piece) {
        return DetectorOptions.defaults()
                .with(DetectorOptions.HELD_OUT, 0.0)
                .with(DetectorOptions.DROP_LEFT_OUT, study.options().get(DetectorOptions.DROP_LEFT_OUT))
                .withArchitecture(group.model())
                .withModel(group.settings().model())
                .withTraining(group.settings().training())
                .withPreprocessing(group.preprocessing())
                .withEstimators(List.of(group.effective(piece)))
                .withLeftOut(group.leavesOut() ? group.data().leftOut() : Set.of());
    }

    /** The options of any work: they differ in the estimator alone. */
    private DetectorOptions options() {
        return options(group.work().iterator().next());
    }

    /** What training and fitting see; the same for all estimators. */
    private TrainingView view() {
        TrainingView built = view;
        if (built == null) {
            built = TrainingView.of(whole, split, options());
            view = built;
        }
        return built;
    }

    /** Refuses what cannot be done, before anything is trained. */
    void requirePossible() {
        group.work().forEach(piece -> view().require(options(piece)));
    }

    /** Nothing where the training diverges. */
    private Optional<Trained> network(int member) {
        Path file = networkFile(member);
        DetectorOptions options = options();
        Optional<Trained> kept = kept(file, options);
        if (kept.isPresent()) {
            return kept;
        }
        long begin = System.nanoTime();
        Trainer.Result result;
        try {
            result = view().train(options, member, TrainingListener.NONE);
        } catch (Diverged e) {
            LOG.log(System.Logger.Level.WARNING, group.data().name() + ", " + group.model() + ": " + e.getMessage());
            return Optional.empty();
        }
        double seconds = secondsSince(begin);
        NetworkFile.write(file, result, seconds);
        return Optional.of(new Trained(result, seconds));
    }

    /** What an interrupted run has left, where it is whole. */
    private Optional<Trained> kept(Path file, DetectorOptions options) {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Graph graph = view().graph();
        Architecture.Shape shape = new Architecture.Shape(
                graph.features().columns(), graph.classes().size());
        try {
            NetworkFile.Saved saved = NetworkFile.read(file, options.architecture(), shape, options.model());
            double seconds = Double.isNaN(saved.seconds()) ? seconds(timeFile(file)) : saved.seconds();
            return Optional.of(new Trained(saved.result(), seconds));
        } catch (BadModelFile e) {
            LOG.log(System.Logger.Level.WARNING, e.getMessage() + "; it is trained again");
            return Optional.empty();
        }
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

    /** About how large a process becomes that runs some such groups side by side. */
    long mebibytes(int atATime) {
        return MemoryEstimate.training(whole, options(), atATime);
    }

    /** On one core. */
    double secondsPerEpoch() {
        DetectorOptions options = options();
        TrainingView seen = view();
        double[] seconds = new double[1];
        Parallel.sideBySide(
                1,
                i -> seconds[i] =
                        EpochTime.seconds(options.architecture(), options.model(), seen.graph(), seen.split()));
        return seconds[0];
    }

    /** Older versions kept the time of a training beside the network. */
    private static Path timeFile(Path network) {
        return network.resolveSibling(network.getFileName() + ".seconds");
    }

    static double seconds(Path file) {
        try {
            double seconds = Double.parseDouble(Files.readString(file));
            if (seconds >= 0 && seconds < Double.POSITIVE_INFINITY) {
                return seconds;
            }
        } catch (IOException | NumberFormatException e) {
            throw new BadModelFile(file + " is no time", e);
        }
        throw new BadModelFile(file + " is no time");
    }

    private Path networkFile(int member) {
        // The options decide what a network is; another setting must not take it for its own.
        String key = group.data().fingerprint()
                + group.trainingKey()
                + group.leavesOut()
                + study.options().get(DetectorOptions.DROP_LEFT_OUT);
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

    /** Trained networks are worth keeping only until the rows of their group are stored. */
    void forgetNetworks() {
        for (int i = 0; i < group.networks(); i++) {
            Path file = networkFile(i);
            AtomicFile.delete(file);
            AtomicFile.delete(timeFile(file));
        }
    }

    private List<Row> judge(List<Group.Work> work, int initialisation, List<Trained> trained) {
        List<Row> judged = new ArrayList<>();
        DetectorOptions options = options(work.get(0));
        long begin = System.nanoTime();
        Detector detector = Detector.of(
                view(), options, trained.stream().map(Trained::result).toList());
        double fit = secondsSince(begin);
        int[] labels = Evaluation.learnedLabels(detector, whole);
        for (Group.Work piece : work) {
            Shift.Shifted shown = shifted(piece.shift());
            long start = System.nanoTime();
            Scores scores = detector.scorePrepared(shown.prepared(), Progress.NONE);
            double score = secondsSince(start);
            Scores.Opinion opinion = scores.byEstimator().values().iterator().next();
            Cell cell = group.cell(piece, initialisation);
            Judged numbers = new Judged(
                    opinion,
                    labels,
                    split.test(),
                    shown.strange(),
                    study.options().get(Study.CALIBRATION_BINS));
            judged.add(new Row(cell, Measures.of(numbers), provenance(piece, trained, initialisation, fit, score)));
            if (piece.shift() == Shifts.CLEAN && piece.estimator().text().equals("jlde")) {
                bins.addAll(confidence(cell, opinion, labels));
            }
        }
        return judged;
    }

    private Row.Provenance provenance(
            Group.Work piece, List<Trained> trained, int initialisation, double fit, double score) {
        return new Row.Provenance(
                trained.stream().mapToDouble(Trained::seconds).sum(),
                fit,
                score,
                trained.stream().mapToInt(t -> t.result.epochs()).sum(),
                trained.isEmpty() ? Double.NaN : trained.get(0).result.validationAccuracy(),
                group.settings().training().member(initialisation).seed(),
                group.key(piece),
                group.data().fingerprint(),
                "nescio " + DetectorFile.version() + ", libtorch " + Engine.version());
    }

    private Shift.Shifted shifted(Shift shift) {
        return shifted.computeIfAbsent(
                shift,
                s -> s.apply(new Shift.Setting(
                        whole,
                        group.preprocessing(),
                        split,
                        group.leavesOut() ? group.data().leftOut() : Set.of(),
                        study.seed() + group.split())));
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
            right[bin] += opinion.requirePrediction().label()[v] == labels[v] ? 1 : 0;
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
