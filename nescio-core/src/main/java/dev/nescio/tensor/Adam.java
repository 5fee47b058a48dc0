// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import java.util.List;
import org.bytedeco.pytorch.Scalar;

/**
 * Adam with bias correction, beta = (0.9, 0.999), epsilon = 1e-8, and weight decay added to the gradient (not AdamW).
 */
public final class Adam implements AutoCloseable {

    private static final double BETA_1 = 0.9;
    private static final double BETA_2 = 0.999;
    private static final double EPSILON = 1e-8;

    private final Arena arena = new Arena();
    private final List<Moments> moments;
    private int steps;

    /**
     * A parameter and how it is to be moved.
     *
     * @param rate of learning
     * @param decay L2 term added to the gradient
     */
    public record Moved(Tensor parameter, double rate, double decay) {}

    /** What Adam remembers of the gradients of a parameter: their mean and the mean of their squares. */
    private record Moments(Moved moved, Tensor mean, Tensor square) {}

    public Adam(List<Moved> parameters) {
        this.moments = Scope.run(() -> parameters.stream()
                .map(p -> new Moments(
                        p, arena.own(Tensor.zeros(p.parameter.shape())), arena.own(Tensor.zeros(p.parameter.shape()))))
                .toList());
    }

    /** Moves every parameter by its gradient and forgets the gradients. */
    public void step() {
        step(1);
    }

    /** The same with a share of every learning rate. */
    public void step(double share) {
        steps++;
        Gradients.off(() -> {
            moments.forEach(m -> move(m, share));
            return true;
        });
    }

    private void move(Moments m, double share) {
        org.bytedeco.pytorch.Tensor parameter = m.moved.parameter.raw();
        org.bytedeco.pytorch.Tensor gradient = m.moved.parameter.gradient().raw();
        if (m.moved.decay != 0) {
            gradient.add_(parameter, new Scalar(m.moved.decay));
        }
        m.mean.raw().mul_(new Scalar(BETA_1)).add_(gradient, new Scalar(1 - BETA_1));
        m.square.raw().mul_(new Scalar(BETA_2)).addcmul_(gradient, gradient, new Scalar(1 - BETA_2));
        double correction = Math.sqrt(1 - Math.pow(BETA_2, steps));
        org.bytedeco.pytorch.Tensor spread =
                m.square.raw().sqrt().div_(new Scalar(correction)).add_(new Scalar(EPSILON));
        parameter.addcdiv_(m.mean.raw(), spread, new Scalar(-share * m.moved.rate / (1 - Math.pow(BETA_1, steps))));
        m.moved.parameter.clearGradient();
    }

    @Override
    public void close() {
        arena.close();
    }
}
