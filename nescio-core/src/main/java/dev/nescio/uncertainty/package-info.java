/**
 * How far a node lies from anything the network has learned from. Start with {@link dev.nescio.uncertainty.estimator.Jlde};
 * {@link dev.nescio.uncertainty.Prediction} is the other half, what the network believes and how noisy that is. Estimators
 * take matrices, never a model, so embeddings may come from anywhere. One sign everywhere: larger is more uncertain.
 */
@NullMarked
package dev.nescio.uncertainty;

import org.jspecify.annotations.NullMarked;
