// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
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

    /** What it says about some of its rows, in this order. */
    public Forward of(int[] rows) {
        return new Forward(
                logits.select(rows),
                states.stream()
                        .map(state -> new State(state.name, state.values.select(rows)))
                        .toList(),
                concentrations == null ? null : concentrations.select(rows));
    }

    /** What several passes of the same network say, one after the other; there must be at least one. */
    public static Forward joined(List<Forward> parts) {
        Forward first = parts.get(0);
        int rows = parts.stream().mapToInt(Forward::nodes).sum();
        List<State> joined = new ArrayList<>();
        for (int s = 0; s < first.states.size(); s++) {
            int number = s;
            joined.add(
                    new State(first.states.get(s).name, joined(rows, parts, part -> part.states.get(number).values)));
        }
        return new Forward(
                joined(rows, parts, Forward::logits),
                joined,
                first.concentrations == null
                        ? null
                        : joined(rows, parts, part -> Objects.requireNonNull(part.concentrations)));
    }

    private static DenseMatrix joined(int rows, List<Forward> parts, Function<Forward, DenseMatrix> which) {
        int columns = which.apply(parts.get(0)).columns();
        float[] values = new float[Math.multiplyExact(rows, columns)];
        int next = 0;
        for (Forward part : parts) {
            float[] more = which.apply(part).values();
            System.arraycopy(more, 0, values, next, more.length);
            next += more.length;
        }
        return DenseMatrix.of(rows, columns, values);
    }

    /** The states without their names. */
    public List<DenseMatrix> matrices() {
        return states.stream().map(State::values).toList();
    }
}
