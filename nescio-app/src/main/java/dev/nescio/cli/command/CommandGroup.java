// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.command;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that only holds others: by itself it says how it is used. */
public abstract class CommandGroup implements Runnable {

    @Spec
    CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
