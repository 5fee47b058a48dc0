// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.network;

import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.Network;
import dev.nescio.model.Pass;
import dev.nescio.model.layer.FeatureTensor;
import dev.nescio.model.layer.Held;
import dev.nescio.model.layer.LayerNorm;
import dev.nescio.model.layer.Linear;
import dev.nescio.model.layer.MessageFlow;
import dev.nescio.model.layer.Round;
import dev.nescio.model.layer.Weights;
import dev.nescio.option.Kind;
import dev.nescio.option.Option;
import dev.nescio.tensor.Arena;
import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
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

    /** An aggregation over the neighbours and what follows it: [sources, d] to [targets, d]. */
    @FunctionalInterface
    interface Module {
        Tensor apply(Tensor x, Round messages, Dropout dropout);
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
    public Pass pass(Dropout dropout) {
        return new AugmentedPass(dropout, input::apply);
    }

    @Override
    public Network prepared(MessageFlow flow, Arena arena) {
        Tensor projected = Scope.run(() -> arena.own(input.apply(flow.features())));
        return new Network() {
            @Override
            public Pass pass(Dropout dropout) {
                return new AugmentedPass(dropout, features -> projected.copy());
            }

            @Override
            public int layers() {
                return Augmented.this.layers();
            }
        };
    }

    private final class AugmentedPass implements Pass {

        private final Dropout dropout;
        private final Function<FeatureTensor, Tensor> projection;

        /** @param projection {@code X W_0 + b_0}, fresh */
        AugmentedPass(Dropout dropout, Function<FeatureTensor, Tensor> projection) {
            this.dropout = dropout;
            this.projection = projection;
        }

        @Override
        public Held input(FeatureTensor features, StateListener states) {
            Tensor h = dropout.applyThenGelu(projection.apply(features));
            states.state("H0", h);
            return Held.of(h);
        }

        @Override
        public Held round(int number, Held now, Round messages, StateListener states) {
            Tensor h = layer(number, now.heard(), messages);
            states.state("H" + number, h);
            return Held.of(h);
        }

        private Tensor layer(int l, Tensor h, Round messages) {
            Layer layer = layers.get(l - 1);
            Tensor heard = layer.module.apply(layer.norm == null ? h : layer.norm.apply(h), messages, dropout);
            if (residual) {
                return heard.plusReusing(h.firstRows(messages.targets()));
            }
            return l == layers.size() ? heard : heard.gelu();
        }

        @Override
        public Tensor output(Held last, StateListener states) {
            return output.apply(outputNorm == null ? last.heard() : outputNorm.apply(last.heard()));
        }
    }
}
