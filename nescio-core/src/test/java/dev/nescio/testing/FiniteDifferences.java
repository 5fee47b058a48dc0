// SPDX-License-Identifier: Apache-2.0
package dev.nescio.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.random.Rng;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import java.util.Arrays;
import java.util.function.Function;

/** Checks the gradient of an operator against central differences, in doubles. */
public final class FiniteDifferences {

    private static final double STEP = 1e-5;

    private FiniteDifferences() {}

    /** A double input of some shape. */
    public record Input(double[] values, int... shape) {

        public static Input random(Rng rng, int... shape) {
            double[] values = new double[Arrays.stream(shape).reduce(1, (a, b) -> a * b)];
            Arrays.setAll(values, i -> rng.nextGaussian());
            return new Input(values, shape);
        }

        Tensor tensor() {
            return Tensor.of(values, shape);
        }
    }

    /** The operator's output is summed with random weights, so that no error can cancel. */
    public static void check(Function<Tensor[], Tensor> operator, Input... inputs) {
        for (int which = 0; which < inputs.length; which++) {
            double[] gradient = gradient(operator, inputs, which);
            for (int i = 0; i < gradient.length; i++) {
                double numeric =
                        (shifted(operator, inputs, which, i, STEP) - shifted(operator, inputs, which, i, -STEP))
                                / (2 * STEP);
                assertThat(gradient[i]).as("input %d, entry %d", which, i).isCloseTo(numeric, within(1e-6));
            }
        }
    }

    private static double[] gradient(Function<Tensor[], Tensor> operator, Input[] inputs, int which) {
        return Scope.run(() -> {
            Tensor[] tensors = tensors(inputs);
            for (Tensor tensor : tensors) {
                tensor.requireGradient();
            }
            loss(operator.apply(tensors)).backward();
            return tensors[which].gradient().toDoubles();
        });
    }

    private static double shifted(
            Function<Tensor[], Tensor> operator, Input[] inputs, int which, int entry, double by) {
        Input[] moved = inputs.clone();
        double[] values = inputs[which].values.clone();
        values[entry] += by;
        moved[which] = new Input(values, inputs[which].shape);
        return Scope.run(() -> loss(operator.apply(tensors(moved))).item());
    }

    private static Tensor[] tensors(Input[] inputs) {
        return Arrays.stream(inputs).map(Input::tensor).toArray(Tensor[]::new);
    }

    private static Tensor loss(Tensor output) {
        return output.times(Input.random(new Rng(99), output.shape()).tensor()).sum();
    }
}
