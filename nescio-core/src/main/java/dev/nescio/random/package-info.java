/**
 * Randomness that is passed in, never global: {@link dev.nescio.random.Seed} derives one key per purpose, and
 * {@link dev.nescio.random.Rng} draws from it. Both are defined by their own arithmetic, so a seed gives the same
 * numbers on every JDK and every machine.
 */
@NullMarked
package dev.nescio.random;

import org.jspecify.annotations.NullMarked;
