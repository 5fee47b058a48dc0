// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.layer;

import dev.nescio.tensor.Edges;
import dev.nescio.tensor.Tensor;

/** Turns what the ends of edges have into shares that sum to 1 over the edges into each node, for every head. */
@FunctionalInterface
public interface Attention {

    double SLOPE = 0.2;

    /**
     * [edges, heads].
     *
     * @param sources [nodes before the layer, d]
     * @param targets [nodes behind the layer, d]
     */
    Tensor shares(Edges edges, Tensor sources, Tensor targets);

    /** {@code softmax(leakyRelu(source S + b + target T))}, S and T [d, heads] (GAT); targets are the first of the sources. */
    public static Attention ofSums(Weights weights, String name, int d, int heads) {
        Tensor source = weights.get(name + ".source.weight", Init.linear(d), d, heads);
        Tensor bias = weights.get(name + ".source.bias", Init.linear(d), heads);
        Tensor target = weights.get(name + ".target.weight", Init.linear(d), d, heads);
        return (edges, sources, targets) -> {
            // One product for both ends: most of its time goes into reading the sources.
            Tensor both = sources.product(Tensor.besides(source, target));
            Tensor begins = both.columns(0, heads).plus(bias);
            Tensor ends = both.columns(heads, heads).firstRows(targets.rows());
            return edges.softmax(
                    edges.fromSource(begins).plus(edges.fromTarget(ends)).leakyRelu(SLOPE));
        };
    }

    /** {@code softmax(a . leakyRelu(source W_s + b_s + target W_t))}, a per head (GATv2). */
    public static Attention ofPairs(Weights weights, String name, int d, int heads) {
        Linear source = new Linear(weights, name + ".source", d, d);
        Tensor target = weights.get(name + ".target.weight", Init.linear(d), d, d);
        Tensor vector = weights.get(name + ".attention", Init.glorot(heads, d / heads), 1, d);
        return (edges, sources, targets) ->
                edges.softmax(edges.pairScores(source.apply(sources), targets.product(target), vector, heads, SLOPE));
    }
}
