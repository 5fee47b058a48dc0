// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import java.util.function.Supplier;
import org.bytedeco.pytorch.NoGradGuard;

/** Switches the recording of operations off where nobody will ask for a gradient. */
public final class Gradients {

    private Gradients() {}

    public static <T> T off(Supplier<T> body) {
        Engine.start();
        try (NoGradGuard guard = new NoGradGuard()) {
            return body.get();
        }
    }
}
