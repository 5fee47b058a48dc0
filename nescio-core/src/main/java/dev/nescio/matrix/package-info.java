/**
 * Plain matrices on the Java heap: what passes between the parts of Nescio, and between Nescio and its users. Start with
 * {@link dev.nescio.matrix.Matrix}. Native tensors never leave {@code dev.nescio.tensor} and the models.
 */
@NullMarked
package dev.nescio.matrix;

import org.jspecify.annotations.NullMarked;
