/**
 * Arrays in files: npy, npz and safetensors. Sizes are checked before memory is asked for; nothing is unpickled.
 */
@NullMarked
package dev.nescio.io.array;

import org.jspecify.annotations.NullMarked;
