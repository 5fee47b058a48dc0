// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model;

import dev.nescio.model.layer.FeatureTensor;
import dev.nescio.model.layer.Held;
import dev.nescio.model.layer.Round;
import dev.nescio.tensor.Tensor;

/**
 * One pass through a network as a sequence of stages: an input that looks at every node by itself, rounds of messages, and an output
 * that looks at every node by itself again. A stage knows nothing of other nodes than those that it is given, so a pass may run on a
 * whole graph at once, towards some nodes, or block by block.
 */
public interface Pass {

    /** What nodes hold first, from their features alone. */
    Held input(FeatureTensor features, Network.StateListener states);

    /**
     * What targets hold next.
     *
     * @param number of the round, from 1 to {@link Network#layers}
     * @param now what the sources of the messages hold, the targets first
     */
    Held round(int number, Held now, Round messages, Network.StateListener states);

    /** The logits: [nodes, classes]. */
    Tensor output(Held last, Network.StateListener states);
}
