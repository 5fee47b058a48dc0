// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.layer;

import dev.nescio.matrix.SparseMatrix;
import dev.nescio.model.layer.Neighbourhood.Loops;
import dev.nescio.tensor.Arena;
import dev.nescio.tensor.Edges;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.SparseOperator;
import dev.nescio.tensor.Tensor;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * One round of messages in native memory: from sources to targets, which are the first of the sources. What a network asks for is made
 * when it is first asked for, by any thread, and kept as long as the arena.
 */
public final class Round {

    private final Neighbourhood neighbourhood;
    private final Arena arena;
    private final Map<String, Object> made = new HashMap<>();

    public Round(Neighbourhood neighbourhood, Arena arena) {
        this.neighbourhood = neighbourhood;
        this.arena = arena;
    }

    /** How many nodes hear. */
    public int targets() {
        return neighbourhood.targets();
    }

    /**
     * The neighbourhood sum with symmetric normalisation, {@code sum over u in N(v) of x_u / sqrt(d_u d_v)}: [sources, d] to
     * [targets, d]. With loops, N(v) has v itself and degrees count it.
     */
    public SparseOperator normalisedSum(Loops loops) {
        return once("sum " + loops, () -> SparseOperator.of(structure(loops), arena));
    }

    /** The edges from sources to targets; the loop of a node is its first edge. */
    public Edges edges(Loops loops) {
        return once("edges " + loops, () -> Edges.of(structure(loops), arena));
    }

    /** {@code 1 / sqrt(d_u d_v)} of each edge: [edges]. */
    public Tensor edgeNorms(Loops loops) {
        return once("norms " + loops, () -> {
            float[] values = structure(loops).values();
            return Scope.run(() -> arena.own(Tensor.of(values, values.length)));
        });
    }

    /** One over the number of neighbours of each edge's target: [edges, 1]. */
    public Tensor equalShares(Loops loops) {
        return once("shares " + loops, () -> {
            int count = edgeNorms(loops).rows();
            return Scope.run(() -> arena.own(edges(loops).softmax(Tensor.zeros(count, 1))));
        });
    }

    private SparseMatrix structure(Loops loops) {
        return neighbourhood.normalised(loops);
    }

    @SuppressWarnings("unchecked")
    private synchronized <T> T once(String name, Supplier<T> make) {
        T known = (T) made.get(name);
        if (known == null) {
            known = make.get();
            made.put(name, known);
        }
        return known;
    }
}
