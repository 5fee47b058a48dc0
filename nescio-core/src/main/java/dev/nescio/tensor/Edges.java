package dev.nescio.tensor;

import dev.nescio.matrix.SparseMatrix;
import java.util.Arrays;

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

    private Edges(SparseMatrix structure, Arena arena) {
        int[] numbers = new int[structure.indices().length];
        Arrays.setAll(numbers, i -> i);
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
