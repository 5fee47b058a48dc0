/**
 * Files in and out: graphs ({@link dev.nescio.io.graph.GraphFile}), trained detectors ({@link dev.nescio.io.detector.DetectorFile}),
 * scores. Formats are read defensively: sizes are checked before memory is asked for, object arrays are never unpickled,
 * nothing is executed. Outputs are written under a temporary name and moved.
 */
@NullMarked
package dev.nescio.io;

import org.jspecify.annotations.NullMarked;
