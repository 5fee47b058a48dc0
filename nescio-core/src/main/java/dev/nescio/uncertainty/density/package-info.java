/**
 * Densities of embeddings and what they need: {@link dev.nescio.uncertainty.density.Pca} per state,
 * {@link dev.nescio.uncertainty.density.JointEmbedding} of several states, and
 * {@link dev.nescio.uncertainty.density.NearestNeighbours}. All work by blocks: memory does not grow with the number of
 * pairs.
 */
@NullMarked
package dev.nescio.uncertainty.density;

import org.jspecify.annotations.NullMarked;
