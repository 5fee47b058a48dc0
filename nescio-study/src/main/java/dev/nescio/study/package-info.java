/**
 * Many runs as one job that can be stopped and goes on later: a {@link dev.nescio.study.Study} says what to run,
 * {@link dev.nescio.study.Runner} runs it, {@link dev.nescio.study.Store} keeps what came out.
 */
@NullMarked
package dev.nescio.study;

import org.jspecify.annotations.NullMarked;
