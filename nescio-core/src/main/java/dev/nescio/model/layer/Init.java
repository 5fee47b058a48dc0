// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.layer;

import dev.nescio.random.Rng;
import java.util.Arrays;

/** How the values of a parameter begin. */
@FunctionalInterface
public interface Init {

    void fill(float[] values, Rng rng);

    public static Init constant(double value) {
        return (values, rng) -> Arrays.fill(values, (float) value);
    }

    public static Init uniform(double bound) {
        return (values, rng) -> {
            for (int i = 0; i < values.length; i++) {
                values[i] = (float) rng.nextDouble(-bound, bound);
            }
        };
    }

    public static Init normal(double spread) {
        return (values, rng) -> {
            for (int i = 0; i < values.length; i++) {
                values[i] = (float) (spread * rng.nextGaussian());
            }
        };
    }

    public static Init glorot(int inputs, int outputs) {
        return uniform(Math.sqrt(6.0 / (inputs + outputs)));
    }

    /** Weights and biases of a linear layer: uniform within one over the root of the inputs. */
    public static Init linear(int inputs) {
        return uniform(1 / Math.sqrt(inputs));
    }
}
