/**
 * Options that are declared once. An {@link dev.nescio.option.Option} knows its name, its default, its limits and how it is
 * written; the command line, files of arguments, YAML, saved detectors and keys of stored work all come from that one
 * declaration. An {@link dev.nescio.option.OptionGroup} lists options that belong together, an
 * {@link dev.nescio.option.Options} holds a value for each of them.
 */
@NullMarked
package dev.nescio.option;

import org.jspecify.annotations.NullMarked;
