// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.layer;

import java.util.Arrays;

/** The place of each node in an order. Where few nodes of a large graph have one, it costs those few alone. */
interface Places {

    /** Of every so many nodes, one may be a target before an array for all of them is worth while. */
    int FEW = 64;

    /** The place of a node, -1 where it has none. */
    int of(int node);

    /** Gives a node a place, instead of the one that it has. */
    void put(int node, int place);

    /** No places yet. */
    static Places of(int nodes, int targets) {
        return targets < nodes / FEW ? new Hashed() : new Listed(nodes);
    }

    /** One entry per node of the graph. */
    final class Listed implements Places {

        private final int[] places;

        Listed(int nodes) {
            this.places = new int[nodes];
            Arrays.fill(places, -1);
        }

        @Override
        public int of(int node) {
            return places[node];
        }

        @Override
        public void put(int node, int place) {
            places[node] = place;
        }
    }

    /** Open addressing: a node lies at its hash or at the next free entry behind it. */
    final class Hashed implements Places {

        private int[] nodes = new int[1 << 10];
        private int[] places = new int[1 << 10];
        private int size;

        Hashed() {
            Arrays.fill(nodes, -1);
        }

        @Override
        public int of(int node) {
            int at = entry(node);
            return nodes[at] < 0 ? -1 : places[at];
        }

        @Override
        public void put(int node, int place) {
            int at = entry(node);
            if (nodes[at] < 0) {
                nodes[at] = node;
                size++;
            }
            places[at] = place;
            if (2 * size > nodes.length) {
                grow();
            }
        }

        private int entry(int node) {
            int mask = nodes.length - 1;
            int at = ((node * 0x9E3779B9) >>> 7) & mask;
            while (nodes[at] >= 0 && nodes[at] != node) {
                at = (at + 1) & mask;
            }
            return at;
        }

        private void grow() {
            int[] oldNodes = nodes;
            int[] oldPlaces = places;
            nodes = new int[2 * oldNodes.length];
            places = new int[2 * oldNodes.length];
            Arrays.fill(nodes, -1);
            for (int i = 0; i < oldNodes.length; i++) {
                if (oldNodes[i] >= 0) {
                    int at = entry(oldNodes[i]);
                    nodes[at] = oldNodes[i];
                    places[at] = oldPlaces[i];
                }
            }
        }
    }
}
