// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.network;

import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.Network;
import dev.nescio.model.layer.LayerNorm;
import dev.nescio.model.layer.Linear;
import dev.nescio.model.layer.MessageFlow;
import dev.nescio.model.layer.Weights;
import dev.nescio.option.Kind;
import dev.nescio.option.Option;
import dev.nescio.tensor.Arena;
import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the augmented networks of Platonov et al. 2023 and of the JLDE paper share: an input block, an aggregation with a
 * feed-forward module per layer, and a linear output.
 *
 * <pre>
 * H_0 = gelu(dropout(X W_0 + b_0))
 * residual:   H_l = H_(l-1) + Module_l(LayerNorm(H_(l-1)))     logits = LayerNorm(H_L) W_P + b_P
 * otherwise:  H_l = gelu(H'_l),  H'_l = Module_l(LayerNorm(H_(l-1)))      logits = LayerNorm(H'_L) W_P + b_P
 * </pre>
 *
 * The hidden states are H_0 .. H_L; without residuals the last one is H'_L, which is what the output reads. Networks without
 * residuals can do without the LayerNorms ({@link #NORM}): the equations of the JLDE paper have none there, its text has them,
 * and only with them do its accuracies come out on features whose rows sum to 1.
 */
public final class Augmented implements Network {

    static final Option<String> NORM = Option.of(
            "norm",
            Kind.word("layer", "none"),
            "layer",
            "layer puts a LayerNorm before every aggregation and before the output; none leaves it out.");

    private final boolean residual;
    private final Linear input;
    private final List<Layer> layers = new ArrayList<>();
    private final @Nullable LayerNorm outputNorm;
    private final Linear output;

    /** An aggregation over the neighbours and what follows it: [nodes(l - 1), d] to [nodes(l), d]. */
    @FunctionalInterface
    interface Module {
        Tensor apply(Tensor x, int layer, MessageFlow flow, Dropout dropout);
    }

    /** Makes the module of a layer, whose parameters have names that begin so. */
    @FunctionalInterface
    interface ModuleMaker {
        Module make(String name);
    }

    private record Layer(@Nullable LayerNorm norm, Module module) {}

    static Augmented withResiduals(
            Weights weights, Architecture.Shape shape, ModelOptions options, ModuleMaker modules) {
        return new Augmented(weights, shape, options, true, true, modules);
    }

    static Augmented withoutResiduals(
            Weights weights, Architecture.Shape shape, ModelOptions options, ModuleMaker modules) {
        return new Augmented(weights, shape, options, false, isNormed(options), modules);
    }

    /** Whether a network without residuals is to have LayerNorms. */
    static boolean isNormed(ModelOptions options) {
        return options.get(NORM).equals("layer");
    }

    private Augmented(
            Weights weights,
            Architecture.Shape shape,
            ModelOptions options,
            boolean residual,
            boolean normed,
            ModuleMaker modules) {
        int d = options.hidden();
        this.residual = residual;
        this.input = new Linear(weights, "input", shape.features(), d);
        for (int l = 1; l <= options.layers(); l++) {
            LayerNorm norm = normed ? new LayerNorm(weights, "layer" + l + ".norm", d) : null;
            layers.add(new Layer(norm, modules.make("layer" + l + ".module")));
        }
        this.outputNorm = normed ? new LayerNorm(weights, "output.norm", d) : null;
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
                return Augmented.this.logits(first, same, dropout, states);
            }

            @Override
            public int layers() {
                return Augmented.this.layers();
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
        return output.apply(outputNorm == null ? h : outputNorm.apply(h));
    }

    private Tensor layer(int l, Tensor h, MessageFlow flow, Dropout dropout) {
        Layer layer = layers.get(l - 1);
        Tensor heard = layer.module.apply(layer.norm == null ? h : layer.norm.apply(h), l, flow, dropout);
        if (residual) {
            return heard.plusReusing(h.firstRows(flow.nodes(l)));
        }
        return l == layers.size() ? heard : heard.gelu();
    }
}
