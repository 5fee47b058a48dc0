// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.training;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.model.Architecture;
import dev.nescio.model.Model;
import dev.nescio.model.Network;
import dev.nescio.model.TrainingOptions;
import dev.nescio.random.Seed;
import java.util.function.Supplier;

/** A graph as training sees it: what steps learn from, and what judges them. */
interface Lessons {

    /** The nodes with their labels; edges and features need not be there. */
    Graph nodes();

    /** The number of features per node. */
    int features();

    /** What the steps of an epoch learn from. */
    Batches batches(Architecture architecture, Network network, Split split, TrainingOptions training, Seed seed);

    /** @param now the model with the weights as they are */
    Judgement.Judge judge(Network network, NodeSet validation, Supplier<Model> now);
}
