// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import dev.nescio.testing.FiniteDifferences;
import dev.nescio.testing.FiniteDifferences.Input;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Against the golden vectors, and gradients against differences. */
public class DirichletTest {

    private static final double[] ALPHA = {3.0, 1.5, 1.2, 1.1, 1.0, 9.0};
    private static final double[] PRIOR = {1, 1, 1, 2, 1, 1.5};

    private static double[] of(Function<Tensor, Tensor> loss) {
        return Scope.run(() -> loss.apply(Tensor.of(ALPHA, 2, 3)).toDoubles());
    }

    @Test
    void goldenValues() {
        assertThat(of(alpha -> Dirichlet.expectedCrossEntropy(alpha, Tensor.labels(0, 2))))
                .containsExactly(new double[] {0.727405432, 0.2205827801}, within(1e-8));
        assertThat(of(Dirichlet::entropy)).containsExactly(new double[] {-1.1474701089, -2.7421715401}, within(1e-8));
        assertThat(of(alpha -> Dirichlet.divergence(alpha, Tensor.of(PRIOR, 2, 3))))
                .containsExactly(new double[] {0.4543229283, 3.0629233202}, within(1e-8));
        assertThat(of(alpha -> Dirichlet.expectedSquaredError(alpha, Tensor.labels(0, 2))))
                .containsExactly(new double[] {0.4289080911, 0.0805598987}, within(1e-8));
    }

    @Test
    void theEntropyOfMuchEvidenceIsContinuous() {
        double below = entropy(0.9999);
        double above = entropy(1.0001);

        assertThat(above).isCloseTo(below, within(0.01));
    }

    private static double entropy(double factor) {
        return Scope.run(
                () -> Dirichlet.entropy(Tensor.of(new double[] {2e3 * factor, 3e3 * factor, 5e3 * factor}, 1, 3))
                        .toDoubles()[0]);
    }

    @Test
    void gradients() {
        double[] positive = Input.random(new Rng(1), 4, 3).values();
        for (int i = 0; i < positive.length; i++) {
            positive[i] = 1.2 + Math.abs(positive[i]);
        }
        Input alpha = new Input(positive, 4, 3);
        FiniteDifferences.check(in -> Dirichlet.entropy(in[0]), alpha);
        FiniteDifferences.check(in -> Dirichlet.expectedCrossEntropy(in[0], Tensor.labels(0, 1, 2, 0)), alpha);
        FiniteDifferences.check(in -> Dirichlet.expectedSquaredError(in[0], Tensor.labels(0, 1, 2, 0)), alpha);
    }

    @Test
    void radialFlow() {
        double[] density = Scope.run(() -> {
            try (Weights weights = Weights.drawn(new Seed(1))) {
                RadialFlow flow = new RadialFlow(weights, "flow", 1, 2, 1);
                weights.parameters().get("flow0.centre").set(new float[] {0.1f, 0.2f});
                weights.parameters().get("flow0.a").set(new float[] {0.3f});
                weights.parameters().get("flow0.b").set(new float[] {-0.7f});
                return flow.logDensity(Tensor.of(new float[] {0.5f, -1, 2, 0.3f}, 2, 2))
                        .toDoubles();
            }
        });

        assertThat(density).containsExactly(new double[] {-2.5302076741, -3.535331147}, within(1e-5));
    }
}
