/**
 * One file per estimator. Start with {@link dev.nescio.uncertainty.estimator.Jlde};
 * {@link dev.nescio.uncertainty.estimator.Estimators} lists all of them.
 */
@NullMarked
package dev.nescio.uncertainty.estimator;

import org.jspecify.annotations.NullMarked;
