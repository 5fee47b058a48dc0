/**
 * Saved detectors. Start with {@link dev.nescio.io.detector.DetectorFile}. Nothing in such a file is ever executed.
 */
@NullMarked
package dev.nescio.io.detector;

import org.jspecify.annotations.NullMarked;
