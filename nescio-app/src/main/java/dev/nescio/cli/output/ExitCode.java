// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.output;

/** What a command tells the shell. */
public final class ExitCode {

    public static final int OK = 0;

    /** A failure of ours or of the engine. */
    public static final int FAILED = 1;

    /** Wrong use, wrong input, or a place that cannot be written. */
    public static final int WRONG = 2;

    private ExitCode() {}
}
