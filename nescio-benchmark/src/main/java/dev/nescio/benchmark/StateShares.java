// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.graph.split.SplitRules;
import dev.nescio.graph.split.StratifiedSplit;
import dev.nescio.io.data.DataFolder;
import dev.nescio.io.data.DataSet;
import dev.nescio.io.data.DataSets;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.report.Svg;
import dev.nescio.study.Settings;
import dev.nescio.uncertainty.Explanation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** How much each hidden state counts: its mean share of the scores of test nodes, of JLDE and of relative states, as a figure. */
@CommandLine.Command(name = "shares", mixinStandardHelpOptions = true)
final class StateShares implements Callable<Integer> {

    private static final List<String> ESTIMATORS = List.of("jlde", "jlde-relative");
    private static final int NODES = 300;

    @Parameters(paramLabel = "DATA", description = "Data sets.")
    List<String> names;

    @Option(names = "--data", paramLabel = "DIR", required = true, description = "Folder of the data sets.")
    Path folder;

    @Option(names = "--out", paramLabel = "FILE", required = true, description = "Where to write the figure, as SVG.")
    Path out;

    @Override
    public Integer call() {
        List<String> groups = new ArrayList<>();
        List<double[]> shares = new ArrayList<>();
        for (String name : names) {
            DataSet set = DataSets.named(name);
            Graph raw = new DataFolder(folder).read(set);
            Split split = set.storedSplits() ? SplitRules.choose(raw, "0") : StratifiedSplit.CITATION.draw(raw, 0);
            for (String estimator : ESTIMATORS) {
                double[] found = shares(set, raw, split, estimator);
                groups.add(set.title() + ", " + estimator);
                shares.add(found);
                System.out.printf(Locale.ROOT, "%s, %s: %s%n", set.title(), estimator, Arrays.toString(found));
            }
        }
        int states = shares.get(0).length;
        List<Svg.Bars> bars = IntStream.range(0, states)
                .mapToObj(state -> new Svg.Bars(
                        "state " + state,
                        shares.stream().mapToDouble(s -> 100 * s[state]).toArray()))
                .toList();
        AtomicFile.write(
                out,
                Svg.bars("How much each state counts", "share of the score, %", groups, bars, 0, 100)
                        .toString());
        return 0;
    }

    private static double[] shares(DataSet set, Graph raw, Split split, String estimator) {
        Settings settings = Settings.tuned(set.name(), "res-gcn");
        Detector detector = Detector.train(
                raw,
                split,
                DetectorOptions.defaults()
                        .withModel(settings.model())
                        .withTraining(settings.training())
                        .withPreprocessing(set.preprocessing())
                        .withEstimators(estimator),
                TrainingListener.NONE);
        int[] nodes = split.test().stream().limit(NODES).toArray();
        double[] shares = new double[settings.model().layers() + 1];
        for (int node : nodes) {
            Explanation explanation = detector.explain(raw, node);
            explanation
                    .contributions()
                    .forEach(part -> shares[part.state()] +=
                            part.amount() / Math.max(1e-30, explanation.score()) / nodes.length);
        }
        return shares;
    }
}
