// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import dev.nescio.cli.flag.CommonFlags;
import dev.nescio.cli.output.ExitCode;
import dev.nescio.cli.output.ProgressBar;
import dev.nescio.cli.output.Visible;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.study.Cell;
import dev.nescio.study.Import;
import dev.nescio.study.Row;
import dev.nescio.study.Runner;
import dev.nescio.study.Store;
import dev.nescio.study.Study;
import dev.nescio.study.StudyFile;
import dev.nescio.tensor.Engine;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nescio study}. */
@Command(
        name = "study",
        mixinStandardHelpOptions = true,
        description = "Run many models and estimators as one job that can be stopped and resumed.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "A STUDY is a YAML file, or one of smoke (a minute, no data needed), quick (a reduced paper study)",
            "and paper (every cell of it); --dry-run estimates the time. 'nescio report' makes tables and figures from the results so far.",
            "",
            "Examples:",
            "  nescio study run smoke --out results",
            "  nescio study status results",
            "  nescio report results",
            "  nescio study run quick --data my/folder --out results/quick --dry-run",
            "  nescio study show quick > mine.yaml",
            "  nescio study export results rows.parquet",
            "  nescio study import results rows.csv"
        })
public final class StudyCommand extends CommandGroup {

    @Command(
            name = "run",
            mixinStandardHelpOptions = true,
            description = "Run or resume a study. If it is killed, no finished result is lost.")
    int run(
            @Parameters(paramLabel = "STUDY", description = "A YAML file, or smoke, quick, extended or paper.")
                    String source,
            @Option(names = "--out", paramLabel = "DIR", required = true, description = "Where the results are kept.")
                    Path out,
            @Option(names = "--dry-run", description = "Print how much is left to do, and stop.") boolean dryRun,
            @Mixin DataCommand.FolderOption where,
            @Mixin CommonFlags common) {
        common.begin();
        Study study = StudyFile.read(source);
        Runner runner = new Runner(study, where.folder(), out);
        Runner.Plan plan = runner.plan();
        if (dryRun) {
            double hours = runner.estimateSeconds() / 3600;
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("plan", plan);
            json.put("atATime", Engine.threads());
            json.put("hours", hours);
            json.put("memoryMebibytes", runner.estimateMebibytes());
            common.print(
                    json,
                    text(plan)
                            + String.format(
                                    Locale.ROOT,
                                    "%nabout %.1f hours and %,d MiB, %d training runs at a time; estimated from a few epochs of each model,"
                                            + " assuming as many epochs as in existing rows, or 400",
                                    hours,
                                    runner.estimateMebibytes(),
                                    Engine.threads()));
            return ExitCode.OK;
        }
        long begin = System.nanoTime();
        double overhead;
        try (ProgressBar bar = common.progress("study")) {
            overhead = runner.run((done, all, share) ->
                    bar.at(Math.round(1000 * share), 1000, done + " of " + all + " groups" + timeLeft(begin, share)));
        }
        List<Row> rows = Store.open(out).rows();
        common.print(
                Map.of("rows", rows.size(), "folder", out.toString(), "overhead", overhead),
                String.format(
                        Locale.ROOT,
                        "%,d rows in %s, %.1f %% of the time spent outside training and estimators; tables and figures: nescio report %s",
                        rows.size(),
                        out,
                        100 * overhead,
                        Visible.argument(out.toString())));
        return ExitCode.OK;
    }

    private static String text(Runner.Plan plan) {
        String stale = plan.stale() == 0
                ? ""
                : String.format(Locale.ROOT, "; %,d rows made with other settings will be replaced", plan.stale());
        return String.format(
                        Locale.ROOT,
                        "%,d of %,d cells left, %,d trainings in %,d groups",
                        plan.cells(),
                        plan.allCells(),
                        plan.trainings(),
                        plan.groups())
                + stale;
    }

    private static String timeLeft(long begin, double share) {
        double seconds = (System.nanoTime() - begin) / 1e9;
        return share <= 0 ? "" : String.format(Locale.ROOT, ", %.0f min left", seconds * (1 - share) / share / 60);
    }

    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            description = "Show the results so far, even while the study runs.")
    int status(
            @Parameters(paramLabel = "DIR", description = "Where the results are kept.") Path folder,
            @Mixin CommonFlags common) {
        Store store = Store.open(folder);
        List<Row> rows = store.rows();
        Map<String, Map<String, Integer>> counts = new TreeMap<>();
        for (Row row : rows) {
            Cell cell = row.cell();
            counts.computeIfAbsent(cell.data(), d -> new TreeMap<>()).merge(cell.model(), 1, Integer::sum);
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("rows", rows.size());
        json.put("byDataAndModel", counts);
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "%,d", rows.size()));
        store.purpose().ifPresent(purpose -> {
            json.put("cells", purpose.cells());
            json.put("study", purpose.summary());
            text.append(String.format(Locale.ROOT, " of %,d cells of %s", purpose.cells(), purpose.summary()));
        });
        text.append(table(counts));
        common.print(json, text.toString());
        return ExitCode.OK;
    }

    /** Data sets down, models across. */
    private static String table(Map<String, Map<String, Integer>> counts) {
        List<String> models = counts.values().stream()
                .flatMap(some -> some.keySet().stream())
                .distinct()
                .sorted()
                .toList();
        int widest = counts.keySet().stream().mapToInt(String::length).max().orElse(0);
        StringBuilder text = new StringBuilder(String.format("%n%-" + Math.max(8, widest) + "s", "results"));
        models.forEach(model -> text.append("  ").append(model));
        counts.forEach((data, some) -> {
            text.append(String.format("%n%-" + Math.max(8, widest) + "s", data));
            models.forEach(model -> text.append(String.format(
                    Locale.ROOT,
                    "  %" + Math.max(1, model.length()) + "s",
                    some.containsKey(model) ? String.format(Locale.ROOT, "%,d", some.get(model)) : "-")));
        });
        return text.toString();
    }

    @Command(name = "show", mixinStandardHelpOptions = true, description = "Print a study that ships with Nescio.")
    int show(
            @Parameters(paramLabel = "NAME", description = "smoke, quick, extended or paper.") String name,
            @Mixin CommonFlags common) {
        if (!StudyFile.builtin().contains(name)) {
            throw new BadConfiguration("no study called '" + name + "' ships with Nescio; there are "
                    + String.join(", ", StudyFile.builtin()));
        }
        String text = StudyFile.text(name);
        common.print(text, text.stripTrailing());
        return ExitCode.OK;
    }

    @Command(
            name = "export",
            mixinStandardHelpOptions = true,
            description = "Write all rows as CSV, JSON or Parquet, depending on the file name.")
    int export(
            @Parameters(paramLabel = "DIR", description = "Where the results are kept.") Path folder,
            @Parameters(paramLabel = "FILE", description = "Ends in .csv, .json or .parquet.") Path file,
            @Mixin CommonFlags common) {
        Store.open(folder).export(file);
        common.print(file.toString(), file.toString());
        return ExitCode.OK;
    }

    @Command(
            name = "import",
            mixinStandardHelpOptions = true,
            description = {
                "Add rows from elsewhere that are not there yet.",
                "Exported rows have neither the bins of the figure of confidence nor statistics of the graphs; another folder has both."
            })
    int bringIn(
            @Parameters(paramLabel = "DIR", description = "Where the results are kept.") Path folder,
            @Parameters(
                            paramLabel = "FROM",
                            description =
                                    "Rows that 'study export' wrote as CSV or Parquet, or the folder of another study.")
                    Path from,
            @Mixin CommonFlags common) {
        Import result = Import.into(folder, from);
        common.print(
                result,
                String.format(Locale.ROOT, "%,d rows added, %,d were there already", result.added(), result.there()));
        return ExitCode.OK;
    }
}
