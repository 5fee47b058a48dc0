package dev.nescio.model;

import dev.nescio.tensor.Arena;
import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * Res-GCN: a graph convolution with a feed-forward module, layer normalisation and residual connections, as in
 * Platonov et al. 2023 and the JLDE paper.
 *
 * <pre>
 * H_0 = gelu(dropout(X W_0 + b_0))
 * H_l = H_(l-1) + FeedForward(A LayerNorm(H_(l-1)))        l = 1..L
 * logits = LayerNorm(H_L) W_P + b_P
 * </pre>
 *
 * A is the symmetrically normalised adjacency with self-loops. The hidden states are H_0 .. H_L.
 */
public final class ResGcn implements Architecture {

    @Override
    public String name() {
        return "res-gcn";
    }

    @Override
    public int states(ModelOptions options) {
        return options.layers() + 1;
    }

    @Override
    public Network network(Weights weights, Shape shape, ModelOptions options) {
        return new ResGcnNetwork(weights, shape, options);
    }

    private static final class ResGcnNetwork implements Network {

        private final Linear input;
        private final List<Layer> layers = new ArrayList<>();
        private final LayerNorm outputNorm;
        private final Linear output;

        private record Layer(LayerNorm norm, FeedForward module) {}

        ResGcnNetwork(Weights weights, Shape shape, ModelOptions options) {
            int d = options.hidden();
            this.input = new Linear(weights, "input", shape.features(), d);
            for (int l = 1; l <= options.layers(); l++) {
                layers.add(new Layer(
                        new LayerNorm(weights, "layer" + l + ".norm", d),
                        new FeedForward(weights, "layer" + l + ".module", d, options.multiplier() * d, d)));
            }
            this.outputNorm = new LayerNorm(weights, "output.norm", d);
            this.output = new Linear(weights, "output", d, shape.classes());
        }

        @Override
        public int layers() {
            return layers.size();
        }

        @Override
        public Tensor logits(MessageFlow flow, Dropout dropout, StateListener states) {
            return logits(Scope.keep(() -> dropout.applyThenGelu(input.apply(flow.features()))), flow, dropout, states);
        }

        @Override
        public Network prepared(MessageFlow flow, Arena arena) {
            Tensor projected = Scope.run(() -> arena.own(input.apply(flow.features())));
            return new Network() {
                @Override
                public Tensor logits(MessageFlow same, Dropout dropout, StateListener states) {
                    Tensor first = Scope.keep(() -> dropout.applyThenGelu(projected.copy()));
                    return ResGcnNetwork.this.logits(first, same, dropout, states);
                }

                @Override
                public int layers() {
                    return ResGcnNetwork.this.layers();
                }
            };
        }

        private Tensor logits(Tensor first, MessageFlow flow, Dropout dropout, StateListener states) {
            Tensor h = first;
            states.state("H0", h);
            for (int l = 1; l <= layers.size(); l++) {
                Tensor before = h;
                int at = l;
                h = Scope.keep(() -> layer(at, before, flow, dropout));
                states.state("H" + l, h);
            }
            return output.apply(outputNorm.apply(h));
        }

        private Tensor layer(int l, Tensor h, MessageFlow flow, Dropout dropout) {
            Layer layer = layers.get(l - 1);
            Tensor heard = flow.normalisedSum(l).apply(layer.norm.apply(h));
            return h.firstRows(flow.nodes(l)).plus(layer.module.apply(heard, dropout));
        }
    }
}
