// SPDX-License-Identifier: Apache-2.0
package dev.nescio.problem;

/**
 * Somebody does not want the result any more. Throw it from {@code TrainingListener.epoch} or {@code Progress.at}: training or scoring
 * ends there, native memory is freed, and whoever called gets it.
 *
 * <pre>{@code
 * Detector.train(view, options, epoch -> {
 *     if (stop.get()) {
 *         throw new Cancelled();
 *     }
 * });
 * }</pre>
 */
public final class Cancelled extends NescioException {

    /** A cancellation; its message is {@code cancelled}. */
    public Cancelled() {
        super("cancelled");
    }
}
