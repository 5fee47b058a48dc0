/**
 * The only place that knows libtorch. Start with {@link dev.nescio.tensor.Tensor}; {@link dev.nescio.tensor.Scope} says
 * who frees native memory and when; {@link dev.nescio.tensor.SparseOperator} is the neighbourhood sum that everything
 * stands on; {@link dev.nescio.tensor.CustomGradient} attaches a backward of our own. Nothing here knows graphs.
 */
@NullMarked
package dev.nescio.tensor;

import org.jspecify.annotations.NullMarked;
