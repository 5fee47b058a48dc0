// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty;

import dev.nescio.matrix.DenseMatrix;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** The hidden states of more nodes than fit into memory, block by block, as often as somebody asks; every time is a pass of its own. */
@FunctionalInterface
public interface Population {

    /** Tells all blocks in the order of the nodes: the states of some nodes, each [nodes, its width]. */
    void forEach(Consumer<List<DenseMatrix>> block);

    /** The same nodes with states that are computed from theirs, row by row. */
    default Population map(UnaryOperator<List<DenseMatrix>> states) {
        return block -> forEach(some -> block.accept(states.apply(some)));
    }
}
