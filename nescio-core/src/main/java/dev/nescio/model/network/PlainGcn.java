// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.network;

import dev.nescio.model.Architecture;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.Network;
import dev.nescio.model.Pass;
import dev.nescio.model.layer.FeatureTensor;
import dev.nescio.model.layer.Held;
import dev.nescio.model.layer.Init;
import dev.nescio.model.layer.Neighbourhood.Loops;
import dev.nescio.model.layer.Round;
import dev.nescio.model.layer.Weights;
import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Tensor;

/**
 * The graph convolution of Kipf and Welling with two layers and nothing added: {@code o = A dropout(relu(A X W_1 + b_1)) W_2
 * + b_2}. The hidden states are the first layer and o. The teacher of {@link Sgcn} and the student's own form.
 */
public final class PlainGcn implements Network {

    private final Tensor firstWeight;
    private final Tensor firstBias;
    private final Tensor secondWeight;
    private final Tensor secondBias;

    PlainGcn(Weights weights, Architecture.Shape shape, ModelOptions options) {
        int d = options.hidden();
        this.firstWeight = weights.get("first.weight", Init.glorot(shape.features(), d), shape.features(), d);
        this.firstBias = weights.get("first.bias", Init.constant(0), d);
        this.secondWeight = weights.get("second.weight", Init.glorot(d, shape.classes()), d, shape.classes());
        this.secondBias = weights.get("second.bias", Init.constant(0), shape.classes());
    }

    @Override
    public int layers() {
        return 2;
    }

    @Override
    public Pass pass(Dropout dropout) {
        return pass(dropout, firstWeight, firstBias, secondWeight, secondBias);
    }

    /** The same with these weights. */
    static Pass pass(Dropout dropout, Tensor firstWeight, Tensor firstBias, Tensor secondWeight, Tensor secondBias) {
        return new Pass() {
            @Override
            public Held input(FeatureTensor features, StateListener states) {
                return Held.of(features.product(firstWeight));
            }

            @Override
            public Held round(int number, Held now, Round messages, StateListener states) {
                Tensor sum = messages.normalisedSum(Loops.WITH).apply(now.heard());
                if (number == 2) {
                    Tensor output = sum.plus(secondBias);
                    states.state("H2", output);
                    return Held.of(output);
                }
                Tensor hidden = dropout.apply(sum.plus(firstBias).relu());
                states.state("H1", hidden);
                return Held.of(hidden.product(secondWeight));
            }

            @Override
            public Tensor output(Held last, StateListener states) {
                return last.heard();
            }
        };
    }
}
