// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph;

import dev.nescio.problem.BadInput;

/** Which nodes teach, which choose the best epoch, and which are held back to be judged on. */
public record Split(String name, NodeSet train, NodeSet validation, NodeSet test) {

    /** Refuses sets that share a node; each of them may be empty, and nodes may be in none. */
    public Split {
        if (train.intersects(validation) || train.intersects(test) || validation.intersects(test)) {
            throw new BadInput("split '" + name + "': a node is in more than one of training, validation and test");
        }
    }

    /** The same name with other nodes. */
    public Split with(NodeSet newTrain, NodeSet newValidation, NodeSet newTest) {
        return new Split(name, newTrain, newValidation, newTest);
    }

    /** The largest node number in use plus one. */
    public int bound() {
        return Math.max(train.bound(), Math.max(validation.bound(), test.bound()));
    }
}
