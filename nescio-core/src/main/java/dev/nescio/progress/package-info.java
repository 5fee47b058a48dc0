/**
 * How long work tells others how far it is.
 */
@NullMarked
package dev.nescio.progress;

import org.jspecify.annotations.NullMarked;
