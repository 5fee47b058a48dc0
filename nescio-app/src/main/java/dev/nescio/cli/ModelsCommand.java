package dev.nescio.cli;

import dev.nescio.model.Architecture;
import dev.nescio.model.Architectures;
import dev.nescio.model.ModelOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code nescio models}. */
@Command(
        name = "models",
        mixinStandardHelpOptions = true,
        description =
                "List the architectures: parameters, where they come from, when to use which, what they let choose.",
        footer = {
            "",
            "Parameters are counted for 100 features, 5 classes and the defaults of 'nescio train'.",
            "",
            "Examples:",
            "  nescio models",
            "  nescio train builtin:blocks --model gprgnn --choose hops=5,alpha=0.2 --out model",
            "  nescio models --json"
        })
final class ModelsCommand implements Callable<Integer> {

    private static final Architecture.Shape EXAMPLE = new Architecture.Shape(100, 5);

    @Mixin
    CommonOptions common;

    @Override
    public Integer call() {
        List<Map<String, Object>> rows =
                Architectures.all().stream().map(ModelsCommand::row).toList();
        common.print(rows, Architectures.all().stream().map(ModelsCommand::text).collect(Collectors.joining("\n")));
        return Nescio.OK;
    }

    private static long parameters(Architecture architecture) {
        return Architectures.parameters(architecture, EXAMPLE, ModelOptions.defaults());
    }

    private static String text(Architecture a) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%-13s%s%n%13s%,d parameters, %d hidden states%n%13s%s",
                a.name(),
                a.about().summary(),
                "",
                parameters(a),
                a.states(ModelOptions.defaults()),
                "",
                a.about().paper()));
        a.about()
                .choices()
                .forEach(choice -> text.append(String.format(
                        "%n%13s--choose %s=%s: %s", "", choice.name(), choice.standard(), choice.meaning())));
        return text.toString();
    }

    private static Map<String, Object> row(Architecture a) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("name", a.name());
        row.put("summary", a.about().summary());
        row.put("paper", a.about().paper());
        row.put("parameters", parameters(a));
        row.put("states", a.states(ModelOptions.defaults()));
        row.put("choices", a.about().choices());
        return row;
    }
}
