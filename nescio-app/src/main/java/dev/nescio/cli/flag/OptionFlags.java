// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.flag;

import dev.nescio.option.Option;
import dev.nescio.option.OptionGroup;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;

/** Flags of a command that are made from declared options: {@code --NAME VALUE} for each of them. */
@Command
public abstract class OptionFlags implements Headed {

    private final OptionGroup group;
    private final Map<String, String> given = new LinkedHashMap<>();

    OptionFlags(OptionGroup group) {
        this.group = group;
    }

    /** What was given on the command line, by the names of the options. */
    public final Map<String, String> given() {
        return new LinkedHashMap<>(given);
    }

    /** Gives a command the flags of everything that it is mixed with; flags that it has already stay as they are. */
    public static void addAll(CommandSpec command) {
        addAll(command, command);
    }

    private static void addAll(CommandSpec command, CommandSpec mixed) {
        for (CommandSpec mixin : mixed.mixins().values()) {
            if (mixin.userObject() instanceof OptionFlags flags) {
                flags.addTo(command);
            }
            addAll(command, mixin);
        }
    }

    /** The flags, whichever of them the command has. */
    final List<String> names() {
        return group.names().stream().map(name -> "--" + name).toList();
    }

    private void addTo(CommandSpec command) {
        for (Option<?> option : group.options()) {
            if (command.findOption("--" + option.name()) == null) {
                command.addOption(flag(option));
            }
        }
    }

    private <T> OptionSpec flag(Option<T> option) {
        OptionSpec.Builder builder = OptionSpec.builder("--" + option.name())
                .description(description(option))
                .setter(new ISetter() {
                    @Override
                    public <V> @Nullable V set(@Nullable V value) {
                        return OptionFlags.this.set(option, value);
                    }
                });
        return option.isFlag()
                ? builder.type(boolean.class).arity("0").build()
                : builder.type(String.class)
                        .arity("1")
                        .preprocessor(trueWhereNothingFollows(option))
                        .paramLabel(option.kind().label())
                        .completionCandidates(option.kind().words())
                        .build();
    }

    /** What can be true can be named without a value: {@code --calibrate GRAPH}. */
    private static IParameterPreprocessor trueWhereNothingFollows(Option<?> option) {
        List<String> words = option.kind().words();
        return (arguments, command, flag, info) -> {
            boolean follows = !arguments.isEmpty() && words.contains(arguments.peek());
            if (words.contains("true") && !follows) {
                arguments.push("true");
            }
            return false;
        };
    }

    /** Is also called with nothing, or false, before a command line is parsed. */
    private <T, V> @Nullable V set(Option<T> option, @Nullable V value) {
        if (value == null || value.equals(false)) {
            given.remove(option.name());
        } else {
            given.put(option.name(), option.print(option.parse(value.toString())));
        }
        return value;
    }

    private static <T> String description(Option<T> option) {
        String standard = option.print(option.standard());
        String text = option.isFlag() || standard.isEmpty()
                ? option.help()
                : option.help().replaceFirst("\\.$", "") + " (default " + standard + ").";
        return text.replace("%", "%%");
    }
}
