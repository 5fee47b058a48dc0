package dev.nescio.model;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadInput;
import java.util.List;

/**
 * Everything a network says about every node in evaluation mode: the only thing that passes from learning to
 * uncertainty.
 *
 * @param logits [nodes, classes]
 * @param states every hidden state in order, each [nodes, its width]
 */
public record Forward(DenseMatrix logits, List<State> states) {

    /** One hidden state. */
    public record State(String name, DenseMatrix values) {}

    public Forward {
        states = List.copyOf(states);
        for (State state : states) {
            if (state.values.rows() != logits.rows()) {
                throw new BadInput("state '" + state.name + "' has " + state.values.rows() + " rows, the logits have "
                        + logits.rows());
            }
        }
    }

    public int nodes() {
        return logits.rows();
    }

    /** The states without their names. */
    public List<DenseMatrix> matrices() {
        return states.stream().map(State::values).toList();
    }
}
