// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import dev.nescio.cli.flag.CommonFlags;
import dev.nescio.cli.output.ExitCode;
import dev.nescio.information.Accounting;
import dev.nescio.information.FiniteModel;
import dev.nescio.io.FiniteModelFile;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.report.InformationReport;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nescio information exact}. */
@Command(
        name = "exact",
        mixinStandardHelpOptions = true,
        description = "Account for every bit of an enumerable model, and check the theory on it.")
public final class InformationExact implements Callable<Integer> {

    private static final double EXACT = 1e-9;

    @Parameters(paramLabel = "MODEL", description = "P1 to P4, X1, X2, C1, D1, R1, or a JSON file.")
    String source;

    @Option(names = "--svg", paramLabel = "FILE", description = "Also draw a figure.")
    @Nullable
    Path svg;

    @Mixin
    CommonFlags common;

    @Override
    public Integer call() {
        FiniteModel model = FiniteModelFile.read(source);
        Accounting account = Accounting.of(model);
        Accounting.Check check = account.check(model);
        if (svg != null) {
            AtomicFile.write(
                    svg, InformationReport.waterfall(model.name(), account).toString());
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("model", model.name());
        json.put("bits", account);
        json.put("check", check);
        common.print(json, text(model, account, check));
        return ExitCode.OK;
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
}
