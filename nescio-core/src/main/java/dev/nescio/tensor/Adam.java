package dev.nescio.tensor;

import java.util.List;

/**
 * Adam with bias correction, beta = (0.9, 0.999), epsilon = 1e-8, and weight decay added to the gradient (not AdamW). One
 * fused native call per parameter.
 */
public final class Adam implements AutoCloseable {

    private final double rate;
    private final double decay;
    private final Arena arena = new Arena();
    private final List<Tensor> parameters;
    private final List<Moments> moments;

    /** What Adam remembers of one parameter. */
    record Moments(Tensor first, Tensor second, Tensor steps) {}

    public Adam(List<Tensor> parameters, double rate, double decay) {
        this.parameters = List.copyOf(parameters);
        this.rate = rate;
        this.decay = decay;
        this.moments = Scope.run(() -> parameters.stream()
                .map(p -> new Moments(
                        arena.own(Tensor.zeros(p.shape())),
                        arena.own(Tensor.zeros(p.shape())),
                        arena.own(Tensor.zeros())))
                .toList());
    }

    /** Moves every parameter by its gradient and forgets the gradients. */
    public void step() {
        Gradients.off(() -> {
            for (int i = 0; i < parameters.size(); i++) {
                Script.adam(parameters.get(i), parameters.get(i).gradient(), moments.get(i), rate, decay);
            }
            return true;
        });
        parameters.forEach(Tensor::clearGradient);
    }

    @Override
    public void close() {
        arena.close();
    }
}
