// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.flag;

import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Under which heading each option of a command stands. */
public final class Headings {

    private final Map<String, String> byOption = new LinkedHashMap<>();

    private Headings() {}

    public static Headings of(CommandSpec command) {
        Headings headings = new Headings();
        headings.collect(command);
        return headings;
    }

    private void collect(CommandSpec mixed) {
        for (CommandSpec mixin : mixed.mixins().values()) {
            collect(mixin);
            if (mixin.userObject() instanceof Headed headed) {
                mixin.options().forEach(option -> byOption.putIfAbsent(option.longestName(), headed.heading()));
                if (headed instanceof OptionFlags flags) {
                    flags.names().forEach(name -> byOption.putIfAbsent(name, headed.heading()));
                }
            }
        }
    }

    public String of(OptionSpec option) {
        return byOption.getOrDefault(option.longestName(), "");
    }
}
