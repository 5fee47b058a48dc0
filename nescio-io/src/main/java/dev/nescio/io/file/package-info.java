/**
 * Files that are written whole or not at all: {@link dev.nescio.io.file.AtomicFile}.
 */
@NullMarked
package dev.nescio.io.file;

import org.jspecify.annotations.NullMarked;
