// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import dev.nescio.cli.flag.CommonFlags;
import dev.nescio.cli.flag.EstimateFlags;
import dev.nescio.cli.flag.GraphFlags;
import dev.nescio.cli.flag.PathName;
import dev.nescio.cli.flag.SplitChoice;
import dev.nescio.cli.output.ExitCode;
import dev.nescio.cli.output.ProgressBar;
import dev.nescio.detector.Detector;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.information.LayerInformation;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.metric.Bootstrap;
import dev.nescio.metric.Spread;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.report.InformationReport;
import dev.nescio.study.LayerStudy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nescio information estimate}. */
@Command(
        name = "estimate",
        mixinStandardHelpOptions = true,
        description = {
            "Estimate how much each layer of trained models knows about labels, and how well JLDE performs on it.",
            "Several MODELs, trained on different splits of one graph, give a spread."
        })
public final class InformationEstimate implements Callable<Integer> {

    @Parameters(
            paramLabel = "MODEL... GRAPH",
            arity = "2..*",
            description = "What 'nescio train' has saved, and the graph.")
    List<String> sources;

    @Option(names = "--out", paramLabel = "DIR", description = "Write a page with figures.")
    @Nullable
    Path out;

    @Mixin
    EstimateFlags estimate;

    @Mixin
    GraphFlags graphs;

    @Mixin
    CommonFlags common;

    @Override
    public Integer call() {
        common.begin();
        int last = sources.size() - 1;
        if (last < 1) {
            throw new BadConfiguration("name at least one saved model and a graph");
        }
        List<Detector> detectors = sources.subList(0, last).stream()
                .map(source -> DetectorFile.read(PathName.of(source)))
                .toList();
        Graph graph = graphs.readLike(sources.get(last), detectors.get(0).schema(), common);
        List<LayerStudy> runs = new ArrayList<>();
        try (ProgressBar bar = common.progress("estimating")) {
            for (Detector detector : detectors) {
                bar.at(runs.size(), last, sources.get(runs.size()));
                Split split = SplitChoice.of(graph, detector.provenance().split(), common::note);
                runs.add(LayerStudy.of(detector, graph, split, estimate.options()));
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
        return ExitCode.OK;
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
                    "%n%s and %s share %.2f bits (three components each, with a tenth of noise; shuffled %.2f)",
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
                "On test nodes %s is the most informative single state; all states together differ from it by %+.3f bits. JLDE on all of"
                        + " them detects %s with a difference of %+.1f points of AUC-ROC from JLDE on %s.",
                best,
                extra,
                runs.get(0).strange().meaning(),
                auc,
                best);
    }
}
