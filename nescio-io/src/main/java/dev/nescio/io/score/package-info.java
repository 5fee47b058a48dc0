/** Scores as files that other programs read, one class per format; {@link dev.nescio.io.score.ScoreFormats} knows them all. */
@NullMarked
package dev.nescio.io.score;

import org.jspecify.annotations.NullMarked;
