package dev.nescio.cli;

import dev.nescio.report.StudyReport;
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
        description = "Make tables and figures of a study, beside the paper's; also while it runs.",
        footer = {
            "",
            "One page, report.html, that needs no network; every table as CSV and LaTeX, every figure as SVG.",
            "",
            "Examples:",
            "  nescio study run smoke --out results",
            "  nescio report results",
            "  nescio report results --out docs/results"
        })
final class ReportCommand implements Callable<Integer> {

    @Parameters(paramLabel = "DIR", description = "Where the results of a study are kept.")
    Path folder;

    @Option(names = "--out", paramLabel = "DIR", description = "Where to write (default: DIR/report).")
    @Nullable
    Path out;

    @Mixin
    CommonOptions common;

    @Override
    public Integer call() {
        Path page = new StudyReport(Store.open(folder)).write(out == null ? folder.resolve("report") : out);
        common.print(page.toString(), page.toString());
        return Nescio.OK;
    }
}
