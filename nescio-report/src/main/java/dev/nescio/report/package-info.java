/**
 * The page that shows a person what a detector found. Start with {@link dev.nescio.report.Report}. Everything is in one
 * file that needs no network.
 */
@NullMarked
package dev.nescio.report;

import org.jspecify.annotations.NullMarked;
