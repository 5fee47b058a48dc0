/**
 * Rules by which nodes are split into training, validation and test nodes. {@link dev.nescio.graph.split.SplitRules} lists them and
 * understands what users write.
 */
@NullMarked
package dev.nescio.graph.split;

import org.jspecify.annotations.NullMarked;
