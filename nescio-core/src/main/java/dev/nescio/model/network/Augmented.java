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
import java.util.function.UnaryOperator;
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

    /** An aggregation over the neighbours and what follows it. */
    @FunctionalInterface
    interface Module {

        /**
         * [sources, d] and what targets have themselves, [targets, d], to [targets, d].
         *
         * @param plus what is added to the result; null for nothing
         */
        Tensor apply(Tensor sent, Tensor own, Round messages, Dropout dropout, @Nullable Tensor plus);

        /** What nodes send to their neighbours, from what they have: computed once per node, however many hear it. */
        default Tensor send(Tensor x) {
            return x;
        }

        /** A module whose nodes send something else than they have. */
        static Module sending(UnaryOperator<Tensor> send, Module module) {
            return new Module() {
                @Override
                public Tensor apply(Tensor sent, Tensor own, Round messages, Dropout dropout, @Nullable Tensor plus) {
                    return module.apply(sent, own, messages, dropout, plus);
                }

                @Override
                public Tensor send(Tensor x) {
                    return send.apply(x);
                }
            };
        }
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
        return new AugmentedPass(dropout, features -> input.applyThenGelu(features, dropout));
    }

    @Override
    public Network prepared(MessageFlow flow, Arena arena) {
        Tensor projected = Scope.run(() -> arena.own(input.apply(flow.features())));
        return new Network() {
            @Override
            public Pass pass(Dropout dropout) {
                return new AugmentedPass(dropout, features -> dropout.applyThenGelu(projected.copy()));
            }

            @Override
            public int layers() {
                return Augmented.this.layers();
            }
        };
    }

    private final class AugmentedPass implements Pass {

        /** What nodes keep for themselves: their state as the next module reads it, and as it is. */
        private static final int NORMED = 0;

        private static final int STATE = 1;

        private final Dropout dropout;
        private final Function<FeatureTensor, Tensor> first;

        /** @param first the state H_0, fresh */
        AugmentedPass(Dropout dropout, Function<FeatureTensor, Tensor> first) {
            this.dropout = dropout;
            this.first = first;
        }

        @Override
        public Held input(FeatureTensor features, StateListener states) {
            return held(0, first.apply(features), states);
        }

        @Override
        public Held round(int number, Held now, Round messages, StateListener states) {
            Tensor before = residual ? now.own(STATE, messages.targets()) : null;
            Tensor next = layers.get(number - 1)
                    .module
                    .apply(now.heard(), now.own(NORMED, messages.targets()), messages, dropout, before);
            return held(number, residual || number == layers.size() ? next : next.gelu(), states);
        }

        /** Nodes with the state of a layer, ready for the next round or for the output. */
        private Held held(int number, Tensor h, StateListener states) {
            states.state("H" + number, h);
            if (number == layers.size()) {
                return Held.of(outputNorm == null ? h : outputNorm.apply(h));
            }
            Layer next = layers.get(number);
            Tensor normed = next.norm == null ? h : next.norm.apply(h);
            return Held.of(next.module.send(normed), normed, h);
        }

        @Override
        public Tensor output(Held last, StateListener states) {
            return output.apply(last.heard());
        }
    }
}
