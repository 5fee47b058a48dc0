// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import dev.nescio.matrix.SparseMatrix;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The edges of a graph, without weights, for models whose weights are learned: row i holds the edges that end in
 * node i. The weights of a sum have a gradient too; {@link #softmax} turns scores into weights that sum to 1 per node.
 */
public final class Edges {

    private final int rows;
    private final Bags incoming;
    private final Bags outgoing;
    /** Each node's edges by their own numbers. */
    private final Bags perNode;

    private final Tensor rowOfEdge;
    private final Tensor transposition;
    private final SparseMatrix structure;
    private final Arena arena;
    private final Map<Integer, Heads> byHeads = new HashMap<>();
    private @Nullable PairScores pairScores;

    /**
     * The same edges once per head.
     *
     * @param edges from every head of every node to the same head of its neighbours
     * @param order where the entries of [edges, heads] stand among them
     */
    private record Heads(Edges edges, Tensor order) {}

    private Edges(SparseMatrix structure, Arena arena) {
        int[] numbers = new int[structure.indices().length];
        Arrays.setAll(numbers, i -> i);
        this.structure = structure;
        this.arena = arena;
        this.rows = structure.rows();
        this.incoming = Bags.of(structure, arena);
        this.outgoing = Bags.of(structure.transposed(), arena);
        this.perNode = new Bags(incoming.pointers(), arena.own(Tensor.of(numbers)));
        this.rowOfEdge = arena.own(Tensor.of(structure.rowOfEntry()));
        this.transposition = arena.own(Tensor.of(structure.transposition()));
    }

    /** The native copy of a structure, whose values do not matter; the arena owns it. */
    public static Edges of(SparseMatrix structure, Arena arena) {
        return Scope.run(() -> new Edges(structure, arena));
    }

    public int rows() {
        return rows;
    }

    /** What the node that an edge comes from has: [columns, d] to [edges, d]. */
    public Tensor fromSource(Tensor x) {
        Tensor copies = Gradients.off(() -> x.select(incoming.indices()));
        return CustomGradient.attach(
                copies, gradient -> new Tensor[] {new Bags(outgoing.pointers(), transposition).sum(gradient, null)}, x);
    }

    /** What the node that an edge ends in has: [rows, d] to [edges, d]. */
    public Tensor fromTarget(Tensor x) {
        Tensor copies = Gradients.off(() -> x.select(rowOfEdge));
        return CustomGradient.attach(copies, gradient -> new Tensor[] {perNode.sum(gradient, null)}, x);
    }

    /**
     * {@code sum over the channels c of head h of a_c phi(source_c + target_c)} for every edge, without ever holding
     * [edges, d]: the scores of GATv2 and of GATE.
     *
     * @param sources [columns, d]
     * @param targets [rows, d]
     * @param attention a, [kinds, d]: its first row for most edges, its last one for the first edge of each node if it is a
     *     loop
     * @param slope of phi below zero; above it is 1
     * @return [edges, heads]
     */
    public Tensor pairScores(Tensor sources, Tensor targets, Tensor attention, int heads, double slope) {
        return pairScores().apply(sources, targets, attention, heads, (float) slope);
    }

    /**
     * The same with weights of their own for every head: head h sums the h-th of equal parts of the channels.
     *
     * @param weights [edges, heads]
     */
    public Tensor headSums(Tensor weights, Tensor x) {
        int heads = weights.columns();
        int width = x.columns();
        Heads expanded = byHeads(heads);
        Tensor flat = weights.reshape(weights.rows() * heads);
        Tensor sums = expanded.edges.weightedSum(
                heads == 1 ? flat : flat.select(expanded.order), x.reshape(x.rows() * heads, width / heads));
        return sums.reshape(rows, width);
    }

    private synchronized PairScores pairScores() {
        if (pairScores == null) {
            pairScores = new PairScores(structure);
        }
        return pairScores;
    }

    private synchronized Heads byHeads(int heads) {
        return byHeads.computeIfAbsent(heads, this::expanded);
    }

    private Heads expanded(int heads) {
        if (heads == 1) {
            return new Heads(this, rowOfEdge);
        }
        int edges = structure.indices().length;
        int[] pointers = new int[rows * heads + 1];
        int[] columns = new int[Math.multiplyExact(edges, heads)];
        int[] order = new int[columns.length];
        int next = 0;
        for (int i = 0; i < rows; i++) {
            for (int h = 0; h < heads; h++) {
                for (int e = structure.pointers()[i]; e < structure.pointers()[i + 1]; e++) {
                    columns[next] = structure.indices()[e] * heads + h;
                    order[next++] = e * heads + h;
                }
                pointers[i * heads + h + 1] = next;
            }
        }
        SparseMatrix perHead =
                SparseMatrix.of(structure.columns() * heads, pointers, columns, new float[columns.length]);
        return Scope.run(() -> new Heads(Edges.of(perHead, arena), arena.own(Tensor.of(order))));
    }

    /** {@code out_i = sum over edges e into i of weights_e x_(source of e)}: [edges] and [columns, d] to [rows, d]. */
    public Tensor weightedSum(Tensor weights, Tensor x) {
        Tensor sum = Gradients.off(() -> incoming.sum(x, weights));
        if (!CustomGradient.wanted(weights, x)) {
            return sum;
        }
        CustomGradient.save(weights);
        CustomGradient.save(x);
        return CustomGradient.attach(
                sum,
                gradient -> new Tensor[] {
                    weights.requiresGradient() ? weightGradient(gradient, x) : null,
                    x.requiresGradient() ? outgoing.sum(gradient, weights.select(transposition)) : null
                },
                weights,
                x);
    }

    private Tensor weightGradient(Tensor gradient, Tensor x) {
        return Script.edgeWeightGradient(
                gradient.contiguous(), x.detached(), incoming.indices(), incoming.pointers(), rowOfEdge);
    }

    /** Softmax of each column over the edges into each node: [edges, heads] to [edges, heads]. */
    public Tensor softmax(Tensor scores) {
        Tensor shares = Gradients.off(() -> {
            Tensor highest = perNode.max(scores);
            Tensor raised =
                    Tensor.of(scores.minus(highest.select(rowOfEdge)).raw().exp_());
            return Tensor.of(raised.raw()
                    .div_(perNode.sum(raised, null).select(rowOfEdge).raw()));
        });
        if (!CustomGradient.wanted(scores)) {
            return shares;
        }
        CustomGradient.save(shares);
        return CustomGradient.attach(scores, shares, gradient -> {
            Tensor product = gradient.times(shares);
            return product.minus(shares.times(perNode.sum(product, null).select(rowOfEdge)));
        });
    }
}
