/**
 * Published graphs: {@link dev.nescio.io.data.DataSets} knows them, a {@link dev.nescio.io.data.DataFolder} holds some,
 * {@link dev.nescio.io.data.Download} brings the others.
 */
@NullMarked
package dev.nescio.io.data;

import org.jspecify.annotations.NullMarked;
