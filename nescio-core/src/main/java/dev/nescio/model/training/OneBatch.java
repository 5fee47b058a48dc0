// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.training;

import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.model.Architecture;
import dev.nescio.model.Network;
import dev.nescio.model.Objective;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.layer.MessageFlow;
import dev.nescio.tensor.Arena;

/** All training nodes at once, with everything that they hear: exact steps. */
final class OneBatch implements Batches {

    private final Arena arena = new Arena();
    private final Objective objective;
    private final MessageFlow flow;

    OneBatch(Architecture architecture, Network network, Graph graph, Split split, TrainingOptions training) {
        this.objective = architecture.objective(network, graph, split, training, arena);
        this.flow = MessageFlow.to(objective.targets(), graph, network.layers());
    }

    @Override
    public void forEach(int epoch, Listener listener) {
        listener.batch(0, 1, objective, flow);
    }

    @Override
    public void close() {
        flow.close();
        arena.close();
    }
}
