/**
 * The parts that networks are made of: linear maps, attention, and {@link dev.nescio.model.layer.MessageFlow}, which says who
 * hears whom. They hold tensors and live as long as their {@link dev.nescio.model.layer.Weights}.
 */
@NullMarked
package dev.nescio.model.layer;

import org.jspecify.annotations.NullMarked;
