// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.flag;

import dev.nescio.study.Settings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import picocli.CommandLine;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Puts the options that ship with Nescio in the place of {@code --tuned DATA/MODEL}; whatever follows can change them. */
@SuppressWarnings("JdkObsolete") // picocli wants a Stack.
public final class TunedArguments implements IParameterPreprocessor {

    @Override
    public boolean preprocess(Stack<String> arguments, CommandSpec command, ArgSpec option, Map<String, Object> info) {
        CommandLine line = command.commandLine();
        if (arguments.isEmpty()) {
            throw new ParameterException(
                    line, "--tuned needs the name of a data set and a model, such as cora_ml/gprgnn");
        }
        String name = arguments.pop();
        String[] parts = name.split("/", 2);
        List<String> lines = parts.length < 2 ? List.of() : Settings.tunedLines(parts[0], parts[1]);
        if (lines.isEmpty()) {
            throw new ParameterException(
                    line,
                    "there are no tuned settings '" + name + "'; there are "
                            + String.join(", ", Settings.tunedNames()));
        }
        List<String> words = new ArrayList<>();
        lines.stream()
                .filter(text -> !text.startsWith("#"))
                .forEach(text -> words.addAll(List.of(text.strip().split("\\s+"))));
        Collections.reverse(words);
        words.forEach(arguments::push);
        return true;
    }
}
