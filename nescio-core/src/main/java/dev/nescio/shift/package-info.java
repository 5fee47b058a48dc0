/**
 * Ways in which the world differs from what was learned. {@link dev.nescio.shift.LeaveOutClasses} hides classes from
 * training, so that their nodes are the unseen ones; {@link dev.nescio.shift.FeatureNoise} replaces features after it.
 */
@NullMarked
package dev.nescio.shift;

import org.jspecify.annotations.NullMarked;
