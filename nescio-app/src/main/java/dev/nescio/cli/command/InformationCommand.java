// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import picocli.CommandLine.Command;

/** {@code nescio information}. */
@Command(
        name = "information",
        mixinStandardHelpOptions = true,
        description = "Measure how many bits about a node's label its representation holds after each layer.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {InformationExact.class, InformationEstimate.class, InformationHomophily.class},
        footer = {
            "",
            "Examples:",
            "  nescio information exact P2",
            "  nescio train builtin:blocks --leave-out 4 --out model",
            "  nescio information estimate model builtin:blocks --out layers",
            "  nescio information homophily --out homophily"
        })
public final class InformationCommand extends CommandGroup {}
