/**
 * One file per architecture. Start with {@link dev.nescio.model.network.ResGcn};
 * {@link dev.nescio.model.network.Architectures} lists all of them.
 */
@NullMarked
package dev.nescio.model.network;

import org.jspecify.annotations.NullMarked;
