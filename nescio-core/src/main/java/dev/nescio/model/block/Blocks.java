// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.block;

import dev.nescio.graph.BlockGraph;
import dev.nescio.model.layer.Neighbourhood;
import java.util.Arrays;

/** Cuts nodes into blocks, and finds the neighbourhood of each. */
final class Blocks {

    private final BlockGraph graph;
    /** For every node its place among the sources of the block at hand, -1 for others. */
    private final int[] place;

    Blocks(BlockGraph graph) {
        this.graph = graph;
        this.place = new int[graph.nodes()];
        Arrays.fill(place, -1);
    }

    /**
     * The end of a block that begins with a node: as many nodes as have, with their neighbours, at most so many rows, and at least one.
     */
    int end(int from, long mostRows) {
        long rows = 0;
        int end = from;
        while (end < graph.nodes() && (end == from || rows + graph.degrees()[end] + 1 <= mostRows)) {
            rows += graph.degrees()[end] + 1L;
            end++;
        }
        return end;
    }

    /**
     * The nodes of a block and their neighbours.
     *
     * @param sources by their numbers: the nodes of the block, then all others that they hear, ascending where wanted
     */
    record Surroundings(Neighbourhood neighbourhood, int[] sources) {}

    Surroundings of(int from, int count, boolean isAscending) {
        BlockGraph.Links links = graph.links(from, count);
        int[] local = new int[links.neighbours().length];
        int[] sources = new int[Math.addExact(count, local.length)];
        int known = count;
        for (int i = 0; i < count; i++) {
            sources[i] = from + i;
            place[from + i] = i;
        }
        for (int neighbour : links.neighbours()) {
            if (place[neighbour] < 0) {
                place[neighbour] = known;
                sources[known++] = neighbour;
            }
        }
        sources = Arrays.copyOf(sources, known);
        if (isAscending) {
            Arrays.sort(sources, count, known);
            for (int i = count; i < known; i++) {
                place[sources[i]] = i;
            }
        }
        for (int e = 0; e < local.length; e++) {
            local[e] = place[links.neighbours()[e]];
        }
        int[] degrees = new int[known];
        for (int i = 0; i < known; i++) {
            degrees[i] = graph.degrees()[sources[i]];
            place[sources[i]] = -1;
        }
        return new Surroundings(new Neighbourhood(count, links.pointers(), local, degrees), sources);
    }
}
