/** Numbers that judge: {@link dev.nescio.metric.Roc} for rankings, {@link dev.nescio.metric.Accuracy} for classes. */
@NullMarked
package dev.nescio.metric;

import org.jspecify.annotations.NullMarked;
