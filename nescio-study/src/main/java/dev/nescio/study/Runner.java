// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import dev.nescio.graph.Homophily;
import dev.nescio.io.data.DataFolder;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.shift.Shift;
import dev.nescio.tensor.Engine;
import dev.nescio.tensor.Parallel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Runs a study into a folder, one group of cells per core. What is there already is not run again: killed at any moment, a
 * study goes on where it stopped, and loses at most the trainings that were under way.
 */
public final class Runner {

    private static final int USUAL_EPOCHS = 400;

    private final Study study;
    private final Path folder;
    private final List<Group> groups;

    /** Hears how far a study is. */
    @FunctionalInterface
    public interface Listener {
        /**
         * @param share of the work of this run that is done, 0 to 1
         */
        void at(int doneGroups, int allGroups, double share);
    }

    /**
     * What there is to do.
     *
     * @param trainings networks to train, of those left
     * @param cells left of all
     * @param stale rows that were made in another way and will be replaced
     */
    public record Plan(int groups, int trainings, int cells, int allCells, int stale) {}

    /** Reads the data and refuses what cannot be run. */
    public Runner(Study study, DataFolder data, Path folder) {
        this(study, name -> StudyGraph.load(name, data), folder);
    }

    Runner(Study study, Function<String, StudyGraph> data, Path folder) {
        this.study = study;
        this.folder = folder;
        this.groups = groups(study, data);
        Set<String> checked = new LinkedHashSet<>();
        for (Group group : groups) {
            if (checked.add(group.data().name() + group.model() + group.leavesOut())) {
                new GroupRun(group, networks()).requirePossible();
            }
        }
    }

    private Runner(Study study, List<Group> groups, Path folder) {
        this.study = study;
        this.folder = folder;
        this.groups = groups;
    }

    /** The same study on the same data, which are not read again, with results in another folder. */
    public Runner in(Path other) {
        return new Runner(study, groups, other);
    }

    private Path networks() {
        return folder.resolve("networks");
    }

    /** First splits first, so that a study that is stopped has something of everything. */
    private static List<Group> groups(Study study, Function<String, StudyGraph> data) {
        Map<String, StudyGraph> graphs = new LinkedHashMap<>();
        study.data().forEach(set -> graphs.put(set.name(), data.apply(set.name())));
        int mostSplits = study.data().stream().mapToInt(study::splitsOf).max().orElseThrow();
        Map<String, Group> groups = new LinkedHashMap<>();
        for (int split = 0; split < mostSplits; split++) {
            for (Study.Data set : study.data()) {
                for (Study.ModelRun model : study.models()) {
                    if (split < study.splitsOf(set) && model.runsOn(set)) {
                        add(groups, study, set, Objects.requireNonNull(graphs.get(set.name())), model, split);
                    }
                }
            }
        }
        if (groups.isEmpty()) {
            throw new BadConfiguration("study " + study.name() + " has nothing to run");
        }
        return List.copyOf(groups.values());
    }

    private static void add(
            Map<String, Group> groups, Study study, Study.Data set, StudyGraph graph, Study.ModelRun model, int split) {
        Settings settings = (model.settings() == null
                        ? Settings.tuned(graph.name(), model.name())
                        : Settings.read(model.architecture(), Study.ModelRun.file(model.settings())))
                .with(study.overrides())
                .withSeed(study.seed() + split);
        for (Shift shift : study.shiftsOf(model)) {
            boolean leavesOut = shift.leavesOut();
            if (leavesOut && graph.leftOut().isEmpty()) {
                continue;
            }
            String key = String.join(" ", graph.name(), model.name(), "" + split, "" + leavesOut);
            Group group = groups.computeIfAbsent(
                    key, k -> new Group(study, set, graph, settings, split, leavesOut, new LinkedHashSet<>()));
            if (!group.settings().equals(settings)) {
                throw new BadConfiguration("study " + study.name() + " gives " + model.name() + " two settings");
            }
            model.estimators().forEach(estimator -> group.work().add(new Group.Work(estimator, shift)));
        }
    }

    /** The groups with what is still to do. */
    private List<Group> left(List<Row> rows) {
        Map<Cell, Origin> there = new HashMap<>();
        rows.forEach(row -> there.put(row.cell(), Origin.of(row)));
        List<Group> left = new ArrayList<>();
        for (Group group : groups) {
            Set<Group.Work> work = new LinkedHashSet<>(group.work());
            work.removeIf(piece -> {
                Origin expected = Origin.of(group, piece);
                return group.cells(piece).stream().allMatch(cell -> expected.equals(there.get(cell)));
            });
            if (!work.isEmpty()) {
                left.add(group.with(work));
            }
        }
        return left;
    }

    /** Rows that stand for the same as some of this study, but were made in another way: they must not be mixed. */
    private List<Cell> stale(List<Row> rows) {
        Map<String, Origin> expected = new HashMap<>();
        for (Group group : groups) {
            for (Group.Work piece : group.work()) {
                Cell cell = group.cell(piece, 0);
                expected.put(Origin.line(cell), Origin.of(group, piece).withoutSeed());
            }
        }
        return rows.stream()
                .filter(row -> {
                    Origin wanted = expected.get(Origin.line(row.cell()));
                    return wanted != null && !wanted.equals(Origin.of(row).withoutSeed());
                })
                .map(Row::cell)
                .toList();
    }

    /** What a run would do. */
    public Plan plan() {
        List<Row> rows = Store.rowsIn(folder);
        List<Group> left = left(rows);
        return new Plan(
                left.size(),
                left.stream().mapToInt(g -> g.networks()).sum(),
                cells(left),
                cells(groups),
                stale(rows).size());
    }

    /**
     * How long a run would take: by the fastest of a few epochs of each model on each graph, on one core, and as many epochs
     * as the trainings took that are there, or {@value #USUAL_EPOCHS}.
     */
    public double estimateSeconds() {
        List<Row> rows = Store.rowsIn(folder);
        Map<String, Double> perEpoch = new HashMap<>();
        double seconds = 0;
        for (Group group : left(rows)) {
            String key = group.data().name() + group.model();
            if (!perEpoch.containsKey(key)) {
                perEpoch.put(key, new GroupRun(group, networks()).secondsPerEpoch());
            }
            seconds += group.networks() * epochs(group, rows) * perEpoch.get(key);
        }
        return seconds / Engine.threads();
    }

    private double epochs(Group group, List<Row> rows) {
        return rows.stream()
                .filter(row -> row.cell().data().equals(group.data().name())
                        && row.cell().model().equals(group.model())
                        && !row.cell().estimator().equals("ensemble"))
                .mapToInt(row -> row.provenance().epochs())
                .filter(epochs -> epochs > 0)
                .average()
                .orElse(Math.min(group.settings().training().epochs(), USUAL_EPOCHS));
    }

    /** About how large the process becomes, in MiB: the largest training of those left, one per core. */
    public long estimateMebibytes() {
        return left(Store.rowsIn(folder)).stream()
                .mapToLong(group -> new GroupRun(group, networks()).mebibytes(Engine.threads()))
                .max()
                .orElse(0);
    }

    private int cells(List<Group> some) {
        return some.stream()
                .flatMap(group -> group.work().stream().map(piece -> group.cells(piece)))
                .mapToInt(List::size)
                .sum();
    }

    /** Runs what is left, in place of rows that were made in another way; the share of its time that went into something else than trainings and estimators. */
    public double run(Listener listener) {
        Store store = begun();
        List<Group> left = left(store.rows());
        forgetNetworksBut(left);
        double all = left.stream().mapToDouble(this::cost).sum();
        Done done = new Done();
        listener.at(0, left.size(), 0);
        Parallel.sideBySide(left.size(), i -> {
            long begin = System.nanoTime();
            GroupRun run = new GroupRun(left.get(i), networks());
            run.run(store);
            synchronized (done) {
                done.groups++;
                done.cost += cost(left.get(i));
                done.seconds += (System.nanoTime() - begin) / 1e9;
                done.secondsAtWork += run.secondsAtWork();
                listener.at(done.groups, left.size(), done.cost / all);
            }
        });
        return done.seconds == 0 ? 0 : 1 - done.secondsAtWork / done.seconds;
    }

    private Store begun() {
        Store store = Store.create(folder);
        groups.stream().map(Group::data).distinct().forEach(graph -> store.describe(graph.name(), statistics(graph)));
        store.announce(new Store.Purpose(study.summary(), cells(groups)));
        store.remove(stale(store.rows()));
        return store;
    }

    /** Runs groups on other machines. */
    @FunctionalInterface
    public interface Elsewhere {

        /**
         * Runs all of these groups, each by {@link Runner#runOne} of a runner of the same study.
         *
         * @param found is told the folder of a runner that a group was run by, one call at a time
         */
        void run(List<String> groups, Consumer<Path> found);
    }

    /** Runs what is left on other machines; what a group has found out is stored here in one transaction as soon as it is told. */
    public void run(Elsewhere elsewhere, Listener listener) {
        Store store = begun();
        List<Group> left = left(store.rows());
        forgetNetworksBut(left);
        int[] done = {0};
        listener.at(0, left.size(), 0);
        elsewhere.run(left.stream().map(Group::name).toList(), place -> {
            Store other = Store.open(place);
            store.add(other.rows(), other.bins());
            done[0]++;
            listener.at(done[0], left.size(), (double) done[0] / left.size());
        });
    }

    /** Runs one group into the folder of this runner, whatever is there already; refuses a group that the study does not have. */
    public void runOne(String name) {
        Group wanted = groups.stream()
                .filter(group -> group.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new BadConfiguration("study " + study.name() + " has no group '" + name + "'"));
        new GroupRun(wanted, networks()).run(Store.create(folder));
    }

    /** A run that was stopped between the rows of a group and its end has left networks that nobody needs any more. */
    private void forgetNetworksBut(List<Group> left) {
        Set<String> needed = left.stream().map(Group::name).collect(Collectors.toSet());
        groups.stream().filter(group -> !needed.contains(group.name())).forEach(group -> new GroupRun(group, networks())
                .forgetNetworks());
    }

    private static final class Done {
        private int groups;
        private double cost;
        private double seconds;
        private double secondsAtWork;
    }

    /** Roughly proportional to time. */
    private double cost(Group group) {
        double perEpoch = 1e4
                + group.data().graph().nodes()
                + 0.3 * group.data().graph().adjacency().edges();
        return perEpoch * Math.max(1, group.networks());
    }

    private static List<Store.Statistic> statistics(StudyGraph graph) {
        Homophily homophily = Homophily.of(graph.graph());
        Map<String, Double> values = new LinkedHashMap<>();
        values.put("num_nodes", (double) graph.graph().nodes());
        values.put("num_directed_edges", (double) graph.graph().adjacency().edges());
        values.put("num_features", (double) graph.graph().features().columns());
        values.put("num_classes", (double) graph.graph().classes().size());
        values.put("num_loc_classes", (double) graph.leftOut().size());
        values.put("edge_homophily", homophily.edge());
        values.put("node_homophily", homophily.node());
        values.put("class_homophily", homophily.classInsensitive());
        values.put("adjusted_homophily", homophily.adjusted());
        int leftOut = 0;
        for (int label : graph.graph().labels()) {
            leftOut += graph.leftOut().contains(label) ? 1 : 0;
        }
        values.put("loc_node_fraction", (double) leftOut / graph.graph().nodes());
        List<Store.Statistic> all = new ArrayList<>();
        values.forEach((name, value) -> all.add(new Store.Statistic(graph.name(), graph.title(), name, 0, 0, value)));
        for (int i = 0; i < homophily.compatibility().length; i++) {
            for (int j = 0; j < homophily.compatibility()[i].length; j++) {
                all.add(new Store.Statistic(
                        graph.name(),
                        graph.title(),
                        "compatibility",
                        i,
                        j,
                        homophily.compatibility()[i][j]));
            }
        }
        return all;
    }
}
