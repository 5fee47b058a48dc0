/**
 * How much a node's representation knows about its label, in bits. {@link dev.nescio.information.Accounting} is exact, on
 * models that can be enumerated; {@link dev.nescio.information.Ross}, {@link dev.nescio.information.Ksg} and
 * {@link dev.nescio.information.Probe} estimate from embeddings.
 */
@NullMarked
package dev.nescio.information;

import org.jspecify.annotations.NullMarked;
