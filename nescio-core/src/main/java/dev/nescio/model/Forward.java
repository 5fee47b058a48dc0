// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadInput;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything a network says about every node in evaluation mode: the only thing that passes from learning to
 * uncertainty.
 *
 * @param logits [nodes, classes]
 * @param states every hidden state in order, each [nodes, its width]
 * @param concentrations of an evidential network, the logarithms of its Dirichlet concentrations, [nodes, classes]
 */
public record Forward(
        DenseMatrix logits, List<State> states, @Nullable DenseMatrix concentrations) {

    /** One hidden state. */
    public record State(String name, DenseMatrix values) {}

    /** Refuses a state that does not have one row per row of the logits. */
    public Forward {
        states = List.copyOf(states);
        for (State state : states) {
            if (state.values.rows() != logits.rows()) {
                throw new BadInput("state '" + state.name + "' has " + state.values.rows() + " rows, the logits have "
                        + logits.rows());
            }
        }
    }

    /** Of a network that is not evidential. */
    public Forward(DenseMatrix logits, List<State> states) {
        this(logits, states, null);
    }

    /** The number of nodes that the pass was made for, which is the number of rows. */
    public int nodes() {
        return logits.rows();
    }

    /** The states without their names. */
    public List<DenseMatrix> matrices() {
        return states.stream().map(State::values).toList();
    }
}
