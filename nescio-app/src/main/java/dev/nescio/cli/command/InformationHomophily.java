// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import dev.nescio.cli.flag.CommonFlags;
import dev.nescio.cli.flag.EstimateFlags;
import dev.nescio.cli.output.ExitCode;
import dev.nescio.cli.output.ProgressBar;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.metric.Spread;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.report.InformationReport;
import dev.nescio.study.HomophilyCurve;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code nescio information homophily}. */
@Command(
        name = "homophily",
        mixinStandardHelpOptions = true,
        description = "Measure, from homophily 0 to 1, what each layer knows and whether the joint density helps.")
public final class InformationHomophily implements Callable<Integer> {

    @Option(names = "--out", paramLabel = "DIR", required = true, description = "Where to write page and figures.")
    Path out;

    @Option(names = "--model", defaultValue = "res-gcn", description = "Model (default ${DEFAULT-VALUE}).")
    String model;

    @Option(names = "--nodes", defaultValue = "2000", description = "Nodes per graph (default ${DEFAULT-VALUE}).")
    int nodes;

    @Option(names = "--steps", defaultValue = "10", description = "Steps from 0 to 1 (default ${DEFAULT-VALUE}).")
    int steps;

    @Option(
            names = "--splits",
            defaultValue = "5",
            description = "Splits per graph, at most 10 (default ${DEFAULT-VALUE}).")
    int splits;

    @Option(names = "--hidden", defaultValue = "64", description = "Hidden width (default ${DEFAULT-VALUE}).")
    int hidden;

    @Option(names = "--epochs", defaultValue = "1000", description = "Maximum epochs (default ${DEFAULT-VALUE}).")
    int epochs;

    @Mixin
    EstimateFlags estimate;

    @Mixin
    CommonFlags common;

    @Override
    public Integer call() {
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
        return ExitCode.OK;
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
