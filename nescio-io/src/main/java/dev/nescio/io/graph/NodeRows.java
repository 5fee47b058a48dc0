// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import dev.nescio.graph.TableSchema;
import dev.nescio.io.table.TableReader;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadInput;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;

/**
 * Some rows of a table of nodes as a detector sees them.
 *
 * @param ids of the nodes
 * @param features one row per id
 */
public record NodeRows(List<String> ids, DenseMatrix features) {

    /** Refuses features that have another number of rows than there are ids. */
    public NodeRows {
        ids = List.copyOf(ids);
        if (features.rows() != ids.size()) {
            throw new BadInput(ids.size() + " ids, but " + features.rows() + " rows of features");
        }
    }

    /**
     * Reads a table that columns are known of, in the order of its rows. Only ids that are repeated among rows of one batch are refused:
     * whoever puts batches together must look at the others.
     *
     * @param atATime rows of a batch
     */
    public static Iterator<NodeRows> of(TableReader table, TableSchema schema, int atATime) {
        TableLayout layout = TableLayout.defaults().like(schema);
        return new Iterator<>() {
            private boolean isThere = table.next();

            @Override
            public boolean hasNext() {
                return isThere;
            }

            @Override
            public NodeRows next() {
                if (!isThere) {
                    throw new NoSuchElementException();
                }
                SomeRows rows = new SomeRows(table, atATime, true);
                NodeTable.Nodes some = NodeTable.read(rows, layout, schema, TableGraph.Listener.NONE);
                isThere = rows.hasMore();
                return new NodeRows(
                        IntStream.range(0, some.ids().size())
                                .mapToObj(some.ids()::name)
                                .toList(),
                        some.features());
            }
        };
    }
}
