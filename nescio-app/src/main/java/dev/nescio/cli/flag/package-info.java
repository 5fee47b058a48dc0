/**
 * Options that commands share, as picocli mixins.
 */
@NullMarked
package dev.nescio.cli.flag;

import org.jspecify.annotations.NullMarked;
