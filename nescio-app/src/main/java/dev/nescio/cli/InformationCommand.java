package dev.nescio.cli;

import dev.nescio.detector.Detector;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.information.Accounting;
import dev.nescio.information.FiniteModel;
import dev.nescio.information.LayerInformation;
import dev.nescio.io.AtomicFile;
import dev.nescio.io.DetectorFile;
import dev.nescio.io.FiniteModelFile;
import dev.nescio.metric.Bootstrap;
import dev.nescio.metric.Spread;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.report.InformationReport;
import dev.nescio.study.HomophilyCurve;
import dev.nescio.study.LayerStudy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nescio information}. */
@Command(
        name = "information",
        mixinStandardHelpOptions = true,
        description = "How many bits about a node's label its representation holds after every layer.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Examples:",
            "  nescio information exact P2",
            "  nescio train builtin:blocks --leave-out 4 --out model",
            "  nescio information estimate model builtin:blocks --out layers",
            "  nescio information homophily --out homophily"
        })
final class InformationCommand extends CommandGroup {

    private static final double EXACT = 1e-9;

    @Command(
            name = "exact",
            mixinStandardHelpOptions = true,
            description = "Account for every bit of a model that can be enumerated, and check the theory on it.")
    int exact(
            @Parameters(paramLabel = "MODEL", description = "P1 to P4, X1, X2, C1, D1, R1, or a JSON file.")
                    String source,
            @Option(names = "--svg", paramLabel = "FILE", description = "Draw it, too.") @Nullable Path svg,
            @Mixin CommonOptions common) {
        FiniteModel model = FiniteModelFile.read(source);
        Accounting account = Accounting.of(model);
        Accounting.Check check = account.check(model);
        if (svg != null) {
            AtomicFile.write(svg, InformationReport.waterfall(model.name(), account));
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("model", model.name());
        json.put("bits", account);
        json.put("check", check);
        common.print(json, text(model, account, check));
        return Nescio.OK;
    }

    private static String text(FiniteModel model, Accounting a, Accounting.Check check) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%s: the label has %.6f bits%nlayer  I(Y;Z_i)  I(Y;G_0..G_i)      loss      gain   offered  homophily%n",
                model.name(),
                a.label()));
        for (int i = 0; i < a.perLayer().size(); i++) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-7d%8.6f  %13.6f",
                    i,
                    a.perLayer().get(i),
                    a.perShells().get(i)));
            if (i > 0) {
                Accounting.Step step = a.steps().get(i - 1);
                text.append(String.format(
                        Locale.ROOT,
                        "  %8.6f  %8.6f  %8.6f  %9.6f",
                        withoutRounding(step.loss()),
                        withoutRounding(step.gain()),
                        withoutRounding(step.offered()),
                        withoutRounding(step.homophily())));
            }
            text.append(String.format("%n"));
        }
        text.append(String.format(Locale.ROOT, "joint  %8.6f%n", a.joint()));
        text.append(
                check.markov() > EXACT
                        ? "a representation knows more about the label than its shells do: the theory does not apply"
                        : String.format(Locale.ROOT, "the theory holds up to %.0e bits", check.worst()));
        return text.toString();
    }

    /** Nothing is nothing, not a minus in front of it. */
    private static double withoutRounding(double bits) {
        return Math.abs(bits) < EXACT ? 0 : bits;
    }

    /** What estimates depend on. */
    static final class EstimateOptions {

        @Option(
                names = "--k",
                defaultValue = "5",
                description = "Neighbours of the same label (default ${DEFAULT-VALUE}).")
        int k;

        @Option(
                names = "--dimensions",
                defaultValue = "10",
                description = "Principal components that every state is reduced to (default ${DEFAULT-VALUE}).")
        int dimensions;

        @Option(
                names = "--permutations",
                defaultValue = "10",
                description = "Shuffled labellings, for comparison (default ${DEFAULT-VALUE}).")
        int permutations;

        @Option(names = "--seed", defaultValue = "0", description = "Of everything random (default ${DEFAULT-VALUE}).")
        long seed;

        LayerInformation.Options options() {
            return new LayerInformation.Options(k, dimensions, permutations, seed);
        }
    }

    @Command(
            name = "estimate",
            mixinStandardHelpOptions = true,
            description = {
                "Estimate what every layer of trained networks says about labels, and how well JLDE does on it.",
                "Several MODELs, trained on different splits of one graph, give a spread."
            })
    int estimate(
            @Parameters(
                            paramLabel = "MODEL... GRAPH",
                            arity = "2..*",
                            description = "What 'nescio train' has saved, and the graph.")
                    List<String> sources,
            @Option(names = "--out", paramLabel = "DIR", description = "Write a page with figures.") @Nullable Path out,
            @Mixin EstimateOptions estimate,
            @Mixin CommonOptions common) {
        common.begin();
        if (sources.size() < 2) {
            throw new BadConfiguration("name at least one saved model and a graph");
        }
        LayerInformation.Options options = estimate.options();
        Graph graph = GraphOptions.read(sources.get(sources.size() - 1));
        List<LayerStudy> runs = new ArrayList<>();
        try (ProgressBar bar = common.progress("estimating")) {
            for (String source : sources.subList(0, sources.size() - 1)) {
                bar.at(runs.size(), sources.size() - 1, source);
                Detector detector = DetectorFile.read(PathName.of(source));
                Split split = SplitChoice.of(graph, detector.provenance().split(), common::note);
                runs.add(LayerStudy.of(detector, graph, split, options));
            }
        }
        String text = text(runs);
        if (out != null) {
            Path page = InformationReport.write(
                    out,
                    "What the layers know about " + graph.name(),
                    List.of(conclusion(runs)),
                    InformationReport.figures(graph.name(), runs));
            text += "\n" + page;
        }
        common.print(runs, text);
        return Nescio.OK;
    }

    private static String text(List<LayerStudy> runs) {
        List<String> states = runs.get(0).information().stream()
                .map(LayerInformation::state)
                .distinct()
                .toList();
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "the labels have %.3f bits; %d runs%n%-9s%18s%18s%18s%18s%18s%18s%18s%12s",
                runs.get(0).information().get(0).entropy(),
                runs.size(),
                "state",
                "training",
                "validation",
                "test",
                "95 % of means",
                "shuffled, test",
                "linear, test",
                "linear, shuffled",
                "AUC of JLDE"));
        for (String state : states) {
            text.append(String.format(
                    Locale.ROOT,
                    "%n%-9s%18s%18s%18s%18s%18s%18s%18s%12s",
                    state,
                    number(InformationReport.bits(runs, state, "training")),
                    number(InformationReport.bits(runs, state, "validation")),
                    number(InformationReport.bits(runs, state, "test")),
                    interval(runs, state),
                    number(Spread.of(runs.stream()
                            .flatMap(r -> r.information().stream())
                            .filter(one ->
                                    one.state().equals(state) && one.nodes().equals("test"))
                            .mapToDouble(one -> one.baseline().mean()))),
                    number(InformationReport.probe(runs, state)),
                    number(Spread.of(runs.stream()
                            .flatMap(r -> r.information().stream())
                            .filter(one ->
                                    one.state().equals(state) && one.nodes().equals("test"))
                            .mapToDouble(one -> one.probeBaseline().mean()))),
                    state.equals("control")
                            ? ""
                            : String.format(
                                    Locale.ROOT,
                                    "%.3f",
                                    InformationReport.auc(runs, state).mean())));
        }
        String warnings = runs.stream()
                .flatMap(run -> run.information().stream())
                .flatMap(one -> one.warnings().stream().map(w -> one.nodes() + " nodes, " + one.state() + ": " + w))
                .distinct()
                .collect(Collectors.joining("\n"));
        for (LayerInformation.Pair pair : runs.get(0).pairs()) {
            double[] bits = runs.stream()
                    .flatMap(run -> run.pairs().stream())
                    .filter(p -> p.first().equals(pair.first()) && p.second().equals(pair.second()))
                    .mapToDouble(LayerInformation.Pair::bits)
                    .toArray();
            text.append(String.format(
                    Locale.ROOT,
                    "%n%s and %s say %.2f bits about each other (three components each, with a tenth of noise; shuffled %.2f)",
                    pair.first(),
                    pair.second(),
                    Spread.of(DoubleStream.of(bits)).mean(),
                    pair.baseline().mean()));
        }
        return text + "\n" + conclusion(runs) + (warnings.isEmpty() ? "" : "\n" + warnings);
    }

    /** Of the mean over runs; nothing for one run. */
    private static String interval(List<LayerStudy> runs, String state) {
        Bootstrap.Interval interval = Bootstrap.ofMean(runs.stream()
                .flatMap(r -> r.information().stream())
                .filter(one -> one.state().equals(state) && one.nodes().equals("test"))
                .mapToDouble(LayerInformation::bits)
                .toArray());
        return runs.size() < 2 ? "" : String.format(Locale.ROOT, "%.3f to %.3f", interval.low(), interval.high());
    }

    private static String number(Spread spread) {
        return String.format(Locale.ROOT, "%.3f", spread.mean())
                + (spread.runs() > 1 ? String.format(Locale.ROOT, " ± %.3f", spread.std()) : "");
    }

    private static String conclusion(List<LayerStudy> runs) {
        String best = runs.get(0).auc().keySet().stream()
                .filter(state -> !state.equals("joint"))
                .max(Comparator.comparingDouble(
                        state -> InformationReport.bits(runs, state, "test").mean()))
                .orElseThrow();
        double extra = InformationReport.bits(runs, "joint", "test").mean()
                - InformationReport.bits(runs, best, "test").mean();
        double auc = 100
                * (InformationReport.auc(runs, "joint").mean()
                        - InformationReport.auc(runs, best).mean());
        return String.format(
                Locale.ROOT,
                "On test nodes %s says most of the single states; all of them together say %+.3f bits more, and JLDE on all of"
                        + " them finds %s by %+.1f points of AUC-ROC more than on %s.",
                best,
                extra,
                runs.get(0).strange().meaning(),
                auc,
                best);
    }

    @Command(
            name = "homophily",
            mixinStandardHelpOptions = true,
            description =
                    "From homophily 0 to 1: what layers know, and whether the joint density pays where they forget.")
    int homophily(
            @Option(
                            names = "--out",
                            paramLabel = "DIR",
                            required = true,
                            description = "Where to write page and figures.")
                    Path out,
            @Option(
                            names = "--model",
                            defaultValue = "res-gcn",
                            description = "Architecture (default ${DEFAULT-VALUE}).")
                    String model,
            @Option(names = "--nodes", defaultValue = "2000", description = "Of each graph (default ${DEFAULT-VALUE}).")
                    int nodes,
            @Option(names = "--steps", defaultValue = "10", description = "Between 0 and 1 (default ${DEFAULT-VALUE}).")
                    int steps,
            @Option(
                            names = "--splits",
                            defaultValue = "5",
                            description = "Of each graph, at most 10 (default ${DEFAULT-VALUE}).")
                    int splits,
            @Option(names = "--hidden", defaultValue = "64", description = "Width (default ${DEFAULT-VALUE}).")
                    int hidden,
            @Option(names = "--epochs", defaultValue = "1000", description = "At most (default ${DEFAULT-VALUE}).")
                    int epochs,
            @Mixin EstimateOptions estimate,
            @Mixin CommonOptions common) {
        common.begin();
        if (steps < 1 || splits < 1 || splits > 10) {
            throw new BadConfiguration("steps must be at least 1 and splits 1 to 10, got " + steps + " and " + splits);
        }
        HomophilyCurve curve;
        try (ProgressBar bar = common.progress("homophily")) {
            curve = HomophilyCurve.run(
                    new HomophilyCurve.Options(model, nodes, steps, splits, hidden, epochs, estimate.options()),
                    (done, all) -> bar.at(done, all, done + " of " + all + " runs"));
        }
        AtomicFile.write(out.resolve("homophily.csv"), csv(curve));
        Path page = InformationReport.write(
                out,
                "Homophily, information and the joint density of " + model,
                List.of(curve.conclusion()),
                InformationReport.figures(curve));
        common.print(curve, curve.conclusion() + "\n" + page);
        return Nescio.OK;
    }

    private static String csv(HomophilyCurve curve) {
        StringBuilder text = new StringBuilder("homophily,state,bits,bits std,auc,auc std,runs\n");
        for (HomophilyCurve.Point point : curve.points()) {
            for (String state : curve.states()) {
                Spread bits = point.bits(state);
                Spread auc = point.auc(state);
                text.append(String.format(
                        Locale.ROOT,
                        "%.2f,%s,%.4f,%.4f,%.4f,%.4f,%d%n",
                        point.homophily(),
                        state,
                        bits.mean(),
                        bits.std(),
                        auc.mean(),
                        auc.std(),
                        bits.runs()));
            }
        }
        return text.toString();
    }
}
