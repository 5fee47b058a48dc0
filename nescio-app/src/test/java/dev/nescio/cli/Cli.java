// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Runs a command line as a user would, and keeps what it said. */
record Cli(int exit, String out, String err) {

    static Cli run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = Nescio.commandLine();
        command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int exit = command.execute(args);
        return new Cli(exit, out.toString(), err.toString());
    }
}
