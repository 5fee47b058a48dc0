/**
 * Networks that pass messages, and how they are trained. Start with {@link dev.nescio.model.network.ResGcn} to see what an
 * architecture looks like, {@link dev.nescio.model.training.Trainer} to see how it learns. What leaves this package is a
 * {@link dev.nescio.model.Forward}: plain matrices, no tensors.
 */
@NullMarked
package dev.nescio.model;

import org.jspecify.annotations.NullMarked;
