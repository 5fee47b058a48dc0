/**
 * How a network learns: {@link dev.nescio.model.training.Trainer} runs the epochs and keeps the best one.
 */
@NullMarked
package dev.nescio.model.training;

import org.jspecify.annotations.NullMarked;
