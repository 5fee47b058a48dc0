/**
 * The four ways in which something can go wrong, so that a caller can tell a user's mistake from ours. Start with
 * {@link dev.nescio.problem.NescioException}.
 */
@NullMarked
package dev.nescio.problem;

import org.jspecify.annotations.NullMarked;
