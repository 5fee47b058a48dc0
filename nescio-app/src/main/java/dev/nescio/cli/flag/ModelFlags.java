// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.flag;

import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.network.Architectures;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** Which network, and its shape. */
public final class ModelFlags extends OptionFlags {

    @Option(
            names = "--model",
            paramLabel = "NAME",
            defaultValue = "res-gcn",
            description = "Model, see 'nescio models' (default ${DEFAULT-VALUE}).")
    public String model = "res-gcn";

    @Option(
            names = "--choose",
            paramLabel = "NAME=VALUE",
            description = "Set a model-specific option, see 'nescio models'; can be given several times.")
    public Map<String, String> choices = new LinkedHashMap<>();

    @Option(
            names = "--tuned",
            paramLabel = "DATA/MODEL",
            preprocessor = TunedArguments.class,
            description = "Use the settings that ship with Nescio for a data set and a model, such as cora_ml/gprgnn;"
                    + " later options override them.")
    public String tuned = "";

    public ModelFlags() {
        super(ModelOptions.COMMON);
    }

    @Override
    public String heading() {
        return "Model";
    }

    public Architecture architecture() {
        return Architectures.named(model);
    }

    public ModelOptions options() {
        return new ModelOptions(ModelOptions.COMMON.parse(given()))
                .in(architecture().options(), choices);
    }
}
