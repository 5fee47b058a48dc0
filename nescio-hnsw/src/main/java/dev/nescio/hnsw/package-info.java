/** Approximate search for nearest training nodes, for a hundred thousand of them and more: {@code --search hnsw}. */
@NullMarked
package dev.nescio.hnsw;

import org.jspecify.annotations.NullMarked;
