// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import java.util.function.ToDoubleFunction;

/**
 * A number about the test nodes of a cell.
 *
 * @param name a column of the results
 * @param summary what it is, in one line
 * @param function computes it; NaN where the question makes no sense
 */
public record Measure(String name, String summary, ToDoubleFunction<Judged> function) {}
