// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import java.util.List;
import java.util.stream.IntStream;

/** Where rows stand in the order of their ids, and which row stands where. */
final class ByRank {

    private final int[] rowOfRank;
    private final int[] rankOfRow;

    private ByRank(int[] rowOfRank) {
        this.rowOfRank = rowOfRank;
        this.rankOfRow = new int[rowOfRank.length];
        for (int rank = 0; rank < rowOfRank.length; rank++) {
            rankOfRow[rowOfRank[rank]] = rank;
        }
    }

    /** @param ids of the rows; fastest where they are parts that each have their order */
    static ByRank of(List<String> ids) {
        return new ByRank(IntStream.range(0, ids.size())
                .boxed()
                .sorted((a, b) -> IdOrder.BY_NUMBER.compare(ids.get(a), ids.get(b)))
                .mapToInt(row -> row)
                .toArray());
    }

    int rows() {
        return rowOfRank.length;
    }

    int of(int row) {
        return rankOfRow[row];
    }

    int row(int rank) {
        return rowOfRank[rank];
    }

    /** Of the first of these rows. */
    int[] ranks(int[] rows, int count) {
        return IntStream.range(0, count).map(i -> rankOfRow[rows[i]]).toArray();
    }
}
