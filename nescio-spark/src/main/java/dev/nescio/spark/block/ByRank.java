// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

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
    static ByRank of(String[] ids) {
        int[] rows = IntStream.range(0, ids.length).toArray();
        sort(rows, ids, 0, rows.length, new int[(rows.length + 1) / 2]);
        return new ByRank(rows);
    }

    /** Sorts halves and merges them; numbers in boxes, as the library wants them, would take five times the room. */
    private static void sort(int[] rows, String[] ids, int from, int to, int[] room) {
        if (to - from < 2) {
            return;
        }
        int middle = (from + to) >>> 1;
        sort(rows, ids, from, middle, room);
        sort(rows, ids, middle, to, room);
        if (IdOrder.BY_NUMBER.compare(ids[rows[middle - 1]], ids[rows[middle]]) > 0) {
            merge(rows, ids, from, middle, to, room);
        }
    }

    private static void merge(int[] rows, String[] ids, int from, int middle, int to, int[] room) {
        int left = middle - from;
        System.arraycopy(rows, from, room, 0, left);
        int next = from;
        int i = 0;
        int j = middle;
        while (i < left) {
            boolean isRight = j < to && IdOrder.BY_NUMBER.compare(ids[room[i]], ids[rows[j]]) > 0;
            rows[next++] = isRight ? rows[j++] : room[i++];
        }
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
