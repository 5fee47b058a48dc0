/** Where graphs come from: {@link dev.nescio.io.location.GraphLocations} understands whatever a user may name. */
@NullMarked
package dev.nescio.io.location;

import org.jspecify.annotations.NullMarked;
