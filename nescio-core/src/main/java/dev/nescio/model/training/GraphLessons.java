// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.training;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.graph.Surroundings;
import dev.nescio.model.Architecture;
import dev.nescio.model.Model;
import dev.nescio.model.Network;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.layer.MessageFlow;
import dev.nescio.random.Seed;
import java.util.function.Supplier;

/** A graph in memory. */
record GraphLessons(Graph nodes) implements Lessons {

    @Override
    public int features() {
        return nodes.features().columns();
    }

    @Override
    public Batches batches(
            Architecture architecture, Network network, Split split, TrainingOptions training, Seed seed) {
        return training.batchNodes() == 0
                ? new OneBatch(architecture, network, nodes, split, training)
                : new SampledBatches(architecture, network, nodes, Surroundings.of(nodes), split, training, seed);
    }

    @Override
    public Judgement.Judge judge(Network network, NodeSet validation, Supplier<Model> now) {
        return new FlowJudge(network, nodes, validation, MessageFlow.to(validation, nodes, network.layers()));
    }
}
