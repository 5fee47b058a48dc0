/**
 * What commands print: plans and progress bars.
 */
@NullMarked
package dev.nescio.cli.output;

import org.jspecify.annotations.NullMarked;
