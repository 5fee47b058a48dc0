// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import dev.nescio.cli.flag.CommonFlags;
import dev.nescio.cli.output.ExitCode;
import dev.nescio.paper.Remarks;
import dev.nescio.paper.StudyReport;
import dev.nescio.study.Store;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nescio report}. */
@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        description = "Make tables and figures of a study next to the paper's numbers, even while it runs.",
        footer = {
            "",
            "Writes one offline page, report.html; every table as CSV and LaTeX, every figure as SVG.",
            "",
            "Examples:",
            "  nescio study run smoke --out results",
            "  nescio report results",
            "  nescio report results --out docs/results --remarks remarks.txt"
        })
public final class ReportCommand implements Callable<Integer> {

    @Parameters(paramLabel = "DIR", description = "Where the results of a study are kept.")
    Path folder;

    @Option(names = "--out", paramLabel = "DIR", description = "Where to write (default: DIR/report).")
    @Nullable
    Path out;

    @Option(
            names = "--remarks",
            paramLabel = "FILE",
            description = "Likely reasons for numbers that differ from the paper's, one per line:"
                    + " 'CoraML, FSGNN, *, Far *: REASON'. A star stands for any text.")
    @Nullable
    Path remarks;

    @Mixin
    CommonFlags common;

    @Override
    public Integer call() {
        StudyReport report =
                new StudyReport(Store.open(folder), remarks == null ? Remarks.NONE : Remarks.read(remarks));
        Path page = report.write(out == null ? folder.resolve("report") : out);
        common.print(page.toString(), page.toString());
        return ExitCode.OK;
    }
}
