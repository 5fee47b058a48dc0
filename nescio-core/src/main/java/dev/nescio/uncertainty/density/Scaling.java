// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.density;

/** How the reduced states are weighed against each other before they are joined. */
public enum Scaling {
    /** Not at all: states with larger norms dominate. */
    NONE,
    /** Each state so that the mean distance from its mean is 1. */
    SAME_EXPECTED_DISTANCE,
    /** Each dimension to standard deviation 1. */
    ISOTROPIC
}
