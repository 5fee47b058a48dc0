// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class AdamTest {

    /** The same five steps on the loss sum of p^2 / 2, written out. */
    @Test
    void equalsThePlainTwin() {
        double rate = 0.05;
        double decay = 0.1;
        double[] p = {1, -2, 0.5};
        double[] mean = new double[3];
        double[] square = new double[3];
        Scope.run(() -> {
            Tensor parameter = Tensor.of(new float[] {1, -2, 0.5f}, 3).requireGradient();
            try (Adam adam = new Adam(List.of(new Adam.Moved(parameter, rate, decay)))) {
                for (int t = 1; t <= 5; t++) {
                    parameter.times(parameter).sum().times(0.5).backward();
                    adam.step();
                    for (int i = 0; i < 3; i++) {
                        double gradient = p[i] + decay * p[i];
                        mean[i] = 0.9 * mean[i] + 0.1 * gradient;
                        square[i] = 0.999 * square[i] + 0.001 * gradient * gradient;
                        p[i] -= rate
                                * (mean[i] / (1 - Math.pow(0.9, t)))
                                / (Math.sqrt(square[i] / (1 - Math.pow(0.999, t))) + 1e-8);
                    }
                }
                float[] got = parameter.toFloats();
                for (int i = 0; i < 3; i++) {
                    assertThat((double) got[i]).isCloseTo(p[i], within(1e-6));
                }
            }
        });
    }
}
