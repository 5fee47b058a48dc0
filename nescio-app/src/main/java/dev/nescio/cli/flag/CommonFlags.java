// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.flag;

import dev.nescio.cli.output.ProgressBar;
import dev.nescio.cli.output.Visible;
import dev.nescio.tensor.Engine;
import java.io.PrintWriter;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/** What every command understands, and where it may write. */
public final class CommonFlags implements Headed {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .addModule(new SimpleModule()
                    .addSerializer(double.class, new NumberOrNull())
                    .addSerializer(Double.class, new NumberOrNull()))
            .build();

    @Spec(Spec.Target.MIXEE)
    public CommandSpec command;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Cores to use (default: all); does not change results.")
    public int threads;

    @Option(
            names = "--device",
            paramLabel = "NAME",
            defaultValue = "cpu",
            description = "Compute device; this version supports only cpu.")
    public String device;

    @Option(names = "--json", description = "Print the result as JSON.")
    public boolean json;

    @Option(names = "--quiet", description = "Print only the result.")
    public boolean quiet;

    /** Where remarks go. */
    private Consumer<String> notes = text -> command.commandLine().getErr().println(Visible.of(text));

    /** Applies the options; called first by every command that computes. */
    public void begin() {
        Engine.requireDevice(device);
        if (command.commandLine().getParseResult().hasMatchedOption("--threads")) {
            Engine.useThreads(threads);
        }
    }

    public PrintWriter out() {
        return command.commandLine().getOut();
    }

    /** A remark for people, on stderr. */
    public void note(String text) {
        if (!quiet) {
            notes.accept(text);
        }
    }

    /** From now on remarks go elsewhere. */
    public void notesTo(Consumer<String> elsewhere) {
        notes = elsewhere;
    }

    public ProgressBar progress(String what) {
        return new ProgressBar(command.commandLine().getErr(), what, !quiet);
    }

    /** Prints a result: as JSON where asked for, otherwise as the text says. */
    public void print(Object asJson, String asText) {
        out().println(json ? JSON.writeValueAsString(asJson) : Visible.of(asText));
        out().flush();
    }

    /** JSON has no NaN: what is not a number is null. */
    private static final class NumberOrNull extends StdSerializer<Double> {

        NumberOrNull() {
            super(Double.class);
        }

        @Override
        public void serialize(Double value, JsonGenerator out, SerializationContext context) {
            if (Double.isFinite(value)) {
                out.writeNumber(value);
            } else {
                out.writeNull();
            }
        }
    }

    @Override
    public String heading() {
        return "General";
    }
}
