/**
 * One class per command.
 */
@NullMarked
package dev.nescio.cli.command;

import org.jspecify.annotations.NullMarked;
