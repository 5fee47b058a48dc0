/** Our side of the speed comparisons in {@code benchmark/compare}. Start with {@link dev.nescio.benchmark.Benchmark}. */
@NullMarked
package dev.nescio.benchmark;

import org.jspecify.annotations.NullMarked;
