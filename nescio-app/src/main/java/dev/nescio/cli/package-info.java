/**
 * The command line. Start with {@link dev.nescio.cli.Nescio}; one class per command, options that commands share in
 * mixins. Data go to stdout, progress and notes to stderr; exit codes are 0 done, 1 failed, 2 wrong use or wrong input.
 */
@NullMarked
package dev.nescio.cli;

import org.jspecify.annotations.NullMarked;
