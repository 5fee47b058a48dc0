// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli;

import dev.nescio.cli.command.CommandGroup;
import dev.nescio.cli.command.DataCommand;
import dev.nescio.cli.command.DemoCommand;
import dev.nescio.cli.command.DoctorCommand;
import dev.nescio.cli.command.EstimatorsCommand;
import dev.nescio.cli.command.EvaluateCommand;
import dev.nescio.cli.command.ExplainCommand;
import dev.nescio.cli.command.ExportCommand;
import dev.nescio.cli.command.FitCommand;
import dev.nescio.cli.command.InformationCommand;
import dev.nescio.cli.command.InspectCommand;
import dev.nescio.cli.command.ListCommand;
import dev.nescio.cli.command.ModelsCommand;
import dev.nescio.cli.command.PackCommand;
import dev.nescio.cli.command.ReportCommand;
import dev.nescio.cli.command.ScoreCommand;
import dev.nescio.cli.command.ServeCommand;
import dev.nescio.cli.command.StudyCommand;
import dev.nescio.cli.command.TrainCommand;
import dev.nescio.cli.command.TuneCommand;
import dev.nescio.cli.command.WatchCommand;
import dev.nescio.cli.flag.Headings;
import dev.nescio.cli.flag.OptionFlags;
import dev.nescio.cli.flag.PathName;
import dev.nescio.cli.output.ExitCode;
import dev.nescio.cli.output.GroupedHelp;
import dev.nescio.cli.output.Signals;
import dev.nescio.cli.output.StandardOutput;
import dev.nescio.cli.output.Visible;
import dev.nescio.problem.Diverged;
import dev.nescio.problem.EngineFailure;
import dev.nescio.problem.NescioException;
import dev.nescio.tensor.Engine;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code nescio}. */
@Command(
        name = "nescio",
        mixinStandardHelpOptions = true,
        versionProvider = Nescio.Version.class,
        description = "Graph neural networks that know what they do not know.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DemoCommand.class,
            TrainCommand.class,
            ScoreCommand.class,
            ServeCommand.class,
            FitCommand.class,
            WatchCommand.class,
            ExplainCommand.class,
            InspectCommand.class,
            ExportCommand.class,
            PackCommand.class,
            EvaluateCommand.class,
            EstimatorsCommand.class,
            ModelsCommand.class,
            ListCommand.class,
            TuneCommand.class,
            DataCommand.class,
            StudyCommand.class,
            ReportCommand.class,
            InformationCommand.class,
            DoctorCommand.class,
            AutoComplete.GenerateCompletion.class
        },
        footer = {
            "",
            "Examples:",
            "  nescio demo",
            "  nescio inspect builtin:blocks",
            "  nescio train builtin:blocks --leave-out 4 --out model",
            "  nescio score model builtin:blocks --out scores.csv",
            "  nescio explain model builtin:blocks --node 2905",
            "  source <(nescio generate-completion)"
        })
public final class Nescio extends CommandGroup {

    private static final int MOST_IN_SYNOPSIS = 12;

    public static void main(String[] args) {
        if (args.length == 1 && args[0].equals("--version")) {
            // Asked by scripts, which should not wait for all commands to be put together.
            List.of(new Version().getVersion()).forEach(System.out::println);
            return;
        }
        Signals.endAtOnce();
        Engine.tuneProcess();
        StandardOutput printed = StandardOutput.watch();
        int exit = ExitCode.FAILED;
        try {
            exit = commandLine().execute(args);
        } catch (OutOfMemoryError e) {
            System.err.println(outOfMemory());
            exit = ExitCode.WRONG;
        }
        String problem = printed.problem();
        if (problem != null) {
            System.err.println("nescio: not all that was to be printed could be written: " + problem);
            exit = exit == ExitCode.OK ? ExitCode.WRONG : exit;
        }
        System.exit(exit);
    }

    private static String outOfMemory() {
        return "nescio: the Java heap of " + (Runtime.getRuntime().maxMemory() >> 20)
                + " MiB is too small for these data; NESCIO_JAVA_OPTS=-Xmx16g gives 16 GiB";
    }

    /** The command line with its messages and exit codes; also what tests run. */
    static CommandLine commandLine() {
        CommandLine nescio = new CommandLine(new Nescio());
        prepare(nescio);
        nescio.registerConverter(Path.class, new PathName());
        return nescio.setCaseInsensitiveEnumValuesAllowed(true)
                .setOverwrittenOptionsAllowed(true)
                .setParameterExceptionHandler(Nescio::wrongUse)
                .setExecutionExceptionHandler((e, command, parsed) -> failed(e, command));
    }

    /** Gives every command its version, the flags of declared options, and help under headings. */
    private static void prepare(CommandLine command) {
        command.getSubcommands().values().forEach(c -> {
            CommandSpec spec = c.getCommandSpec();
            spec.versionProvider(new Version());
            OptionFlags.addAll(spec);
            spec.usageMessage()
                    .sortOptions(false)
                    .abbreviateSynopsis(spec.options().size() > MOST_IN_SYNOPSIS);
            Headings headings = Headings.of(spec);
            c.getHelpSectionMap()
                    .put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, help -> GroupedHelp.options(help, headings::of));
            prepare(c);
        });
    }

    private static int wrongUse(ParameterException e, String[] args) {
        PrintWriter err = e.getCommandLine().getErr();
        err.println(Visible.of("nescio: " + message(e)));
        if (e instanceof UnmatchedArgumentException unmatched) {
            List<String> nearest = unmatched.getSuggestions();
            if (!nearest.isEmpty()) {
                err.println("Did you mean "
                        + String.join(" or ", nearest.stream().limit(3).toList()) + "?");
            }
        }
        err.println("Try '" + e.getCommandLine().getCommandSpec().qualifiedName() + " --help'.");
        return ExitCode.WRONG;
    }

    /** What one of our own limits says, however deep picocli has wrapped it. */
    private static String message(ParameterException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof NescioException ours) {
                return onOneLine(String.valueOf(ours.getMessage()));
            }
        }
        if (e instanceof UnmatchedArgumentException unmatched
                && unmatched.getUnmatched().get(0).startsWith("@")) {
            return "there is no file '" + unmatched.getUnmatched().get(0).substring(1) + "' to read arguments from";
        }
        return firstLine(String.valueOf(e.getMessage()));
    }

    private static int failed(Exception e, CommandLine command) {
        PrintWriter err = command.getErr();
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof OutOfMemoryError) {
                err.println(outOfMemory());
                return ExitCode.WRONG;
            }
        }
        if (e instanceof NescioException) {
            err.println(Visible.of("nescio: " + onOneLine(String.valueOf(e.getMessage()))));
            return e instanceof EngineFailure && !(e instanceof Diverged) ? ExitCode.FAILED : ExitCode.WRONG;
        }
        err.println("nescio: internal error, please report it: " + e);
        e.printStackTrace(err);
        return ExitCode.FAILED;
    }

    /** An id with a line break must not look like a message of ours. */
    private static String onOneLine(String message) {
        return message.replace("\r", "\\r").replace("\n", "\\n");
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse("");
    }

    /** Says which Nescio and which Java. */
    /** As its own jar says, without loading anything else. */
    private static String version() {
        String version = Nescio.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {
                "nescio " + Nescio.version(),
                "Java " + System.getProperty("java.version") + " on " + System.getProperty("os.name") + " "
                        + System.getProperty("os.arch")
            };
        }
    }
}
