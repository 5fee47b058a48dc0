// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.density;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.problem.BadInput;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import dev.nescio.tensor.TensorRows;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Several hidden states of a node as one vector: each state reduced by its own map, then one after the other. Fitted on
 * all nodes, applied to any.
 */
public record JointEmbedding(List<StateMap> maps) {

    public JointEmbedding {
        maps = List.copyOf(maps);
    }

    public static JointEmbedding fit(List<? extends Matrix> states, Keep keep, Scaling scaling) {
        return new JointEmbedding(
                states.stream().map(state -> StateMap.fit(state, keep, scaling)).toList());
    }

    /**
     * The same, fitted on states that come block by block: one pass for means and principal components, one more where states are
     * scaled, none where states are taken as they are.
     *
     * @param some of the nodes, from which it is known about where the others lie
     */
    public static JointEmbedding fit(
            Consumer<Consumer<List<DenseMatrix>>> blocks, List<DenseMatrix> some, Keep keep, Scaling scaling) {
        boolean isPlain = scaling == Scaling.NONE
                && some.stream().allMatch(state -> keep.of(state.columns()) instanceof Keep.Everything);
        if (isPlain) {
            return fit(some, keep, scaling);
        }
        List<Moments> moments = some.stream()
                .map(state -> new Moments(Scope.run(() -> Pca.mean(state).toFloats())))
                .toList();
        blocks.accept(states -> {
            for (int i = 0; i < states.size(); i++) {
                moments.get(i).add(states.get(i));
            }
        });
        List<StateMap> maps =
                moments.stream().map(sums -> StateMap.of(sums, keep)).toList();
        if (scaling == Scaling.NONE) {
            return new JointEmbedding(maps);
        }
        List<StateMap.Spread> spreads =
                maps.stream().map(map -> map.new Spread()).toList();
        blocks.accept(states -> {
            for (int i = 0; i < states.size(); i++) {
                spreads.get(i).add(states.get(i));
            }
        });
        return new JointEmbedding(
                spreads.stream().map(spread -> spread.scaled(scaling)).toList());
    }

    public int dimensions() {
        return maps.stream().mapToInt(StateMap::dimensions).sum();
    }

    /** Rows {@code from .. from + count - 1} of the embedding: [count, dimensions]. */
    public DenseMatrix apply(List<? extends Matrix> states, int from, int count) {
        check(states);
        return Scope.run(
                () -> joined(i -> TensorRows.of(states.get(i), from, count)).toMatrix());
    }

    /** The embedding of some nodes, by blocks: no copy of all their states exists. */
    public DenseMatrix apply(List<? extends Matrix> states, int[] nodes) {
        check(states);
        int width = dimensions();
        float[] values = new float[Math.multiplyExact(nodes.length, width)];
        Blocks.forEach(
                nodes.length,
                Blocks.ROWS,
                (from, count) -> Scope.run(() -> {
                    int[] some = Arrays.copyOfRange(nodes, from, from + count);
                    float[] rows =
                            joined(i -> TensorRows.of(states.get(i), some)).toFloats();
                    System.arraycopy(rows, 0, values, from * width, rows.length);
                }));
        return DenseMatrix.of(nodes.length, width, values);
    }

    /** @param rows of each state */
    private Tensor joined(IntFunction<Tensor> rows) {
        return Tensor.besides(IntStream.range(0, maps.size())
                .mapToObj(i -> maps.get(i).apply(rows.apply(i)))
                .toArray(Tensor[]::new));
    }

    private void check(List<? extends Matrix> states) {
        if (states.size() != maps.size()) {
            throw new BadInput("fitted on " + maps.size() + " states, got " + states.size());
        }
        for (int i = 0; i < maps.size(); i++) {
            if (states.get(i).columns() != maps.get(i).mean().length) {
                throw new BadInput("state " + i + " has " + states.get(i).columns() + " columns, but was fitted on "
                        + maps.get(i).mean().length);
            }
        }
    }
}
