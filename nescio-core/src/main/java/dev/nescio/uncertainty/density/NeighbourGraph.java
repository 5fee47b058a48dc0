// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.density;

import dev.nescio.problem.BadModelFile;
import java.util.Arrays;
import java.util.List;

/**
 * A hierarchical graph of near rows (HNSW, Malkov and Yashunin 2018), walked greedily to find nearest neighbours without
 * looking at every row. {@link NeighbourIndex} builds and walks it.
 *
 * @param entry the row where every walk begins, on the highest level
 * @param levels from the lowest, which has all rows
 */
public record NeighbourGraph(int entry, List<Level> levels) {

    /**
     * The links between some rows.
     *
     * @param rows in ascending order
     * @param pointers the links of {@code rows[i]} are at {@code pointers[i] .. pointers[i + 1] - 1}
     * @param links row numbers
     */
    public record Level(int[] rows, int[] pointers, int[] links) {}

    public NeighbourGraph {
        levels = List.copyOf(levels);
        int all = levels.isEmpty() ? 0 : levels.get(0).rows.length;
        for (Level level : levels) {
            boolean isSound = level.pointers.length == level.rows.length + 1
                    && level.pointers[0] == 0
                    && level.pointers[level.rows.length] == level.links.length
                    && rises(level.pointers, 0)
                    && rises(level.rows, 1)
                    && Arrays.stream(level.rows).allMatch(row -> row >= 0 && row < all)
                    && Arrays.stream(level.links).allMatch(row -> Arrays.binarySearch(level.rows, row) >= 0);
            if (!isSound) {
                throw new BadModelFile("the graph of neighbours is damaged");
            }
        }
        if (all == 0 || Arrays.binarySearch(levels.get(levels.size() - 1).rows, entry) < 0) {
            throw new BadModelFile("the graph of neighbours has no entry point");
        }
    }

    private static boolean rises(int[] values, int step) {
        for (int i = 1; i < values.length; i++) {
            if (values[i] < values[i - 1] + step) {
                return false;
            }
        }
        return true;
    }
}
