// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.layer;

import dev.nescio.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * A density per class on a latent space: a stack of radial transformations that carries it to a standard normal.
 *
 * <pre>
 * f(x) = x + b h (x - x_0),  h = 1 / (a + |x - x_0|),  a = softplus(a'),  b = softplus(b') - a
 * log |det| = (D - 1) log(1 + b h) + log(1 + b h - b h^2 |x - x_0|)
 * </pre>
 */
public final class RadialFlow {

    private final int classes;
    private final int dimensions;
    private final List<Step> steps = new ArrayList<>();

    /** One transformation: centres [classes, D], a' and b' [classes]. */
    private record Step(Tensor centre, Tensor a, Tensor b) {}

    public RadialFlow(Weights weights, String name, int classes, int dimensions, int length) {
        this.classes = classes;
        this.dimensions = dimensions;
        Init init = Init.linear(dimensions);
        for (int t = 0; t < length; t++) {
            steps.add(new Step(
                    weights.get(name + t + ".centre", init, classes, dimensions),
                    weights.get(name + t + ".a", init, classes),
                    weights.get(name + t + ".b", init, classes)));
        }
    }

    /** [rows, D] to [rows, classes]: the log-density of every class. */
    public Tensor logDensity(Tensor z) {
        int rows = z.rows();
        Tensor x = z.reshape(rows, 1, dimensions);
        Tensor logDeterminant = Tensor.zeros(rows, classes);
        for (Step step : steps) {
            Tensor away = x.minus(step.centre);
            // Not quite zero at the centre, where the root has no gradient.
            Tensor distance = away.times(away).sumOverLast().plus(1e-20).sqrt();
            Tensor a = step.a.softplus();
            Tensor b = step.b.softplus().minus(a);
            Tensor h = a.plus(distance);
            Tensor bh = b.over(h);
            Tensor change = bh.log1p()
                    .times(dimensions - 1.0)
                    .plus(bh.minus(bh.times(distance).over(h)).log1p());
            logDeterminant = logDeterminant.plus(change);
            x = x.plus(away.times(bh.reshape(rows, classes, 1)));
        }
        return x.times(x)
                .sumOverLast()
                .times(-0.5)
                .plus(-0.5 * dimensions * Math.log(2 * Math.PI))
                .plus(logDeterminant);
    }
}
