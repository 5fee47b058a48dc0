// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import dev.nescio.shift.Shift;

/**
 * One thing to find out.
 *
 * @param initialisation number of the trained network; 0 for an ensemble
 */
public record Cell(String data, String model, String estimator, Shift shift, String split, int initialisation) {}
