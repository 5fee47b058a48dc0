// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import java.util.Arrays;

/** Sorts numbers of nodes without a box around each: a merge sort, so that equal ones keep their order. */
final class IndexSort {

    private static final int SHORT = 24;

    /** Compares two nodes. */
    @FunctionalInterface
    interface ByNode {
        int compare(int a, int b);
    }

    private IndexSort() {}

    static int[] sorted(int nodes, ByNode order) {
        int[] values = new int[nodes];
        Arrays.setAll(values, i -> i);
        sort(values.clone(), values, 0, nodes, order);
        return values;
    }

    private static void sort(int[] from, int[] to, int begin, int end, ByNode order) {
        if (end - begin <= SHORT) {
            insert(to, begin, end, order);
            return;
        }
        int middle = (begin + end) >>> 1;
        sort(to, from, begin, middle, order);
        sort(to, from, middle, end, order);
        int left = begin;
        int right = middle;
        for (int i = begin; i < end; i++) {
            boolean takeLeft = right >= end || (left < middle && order.compare(from[left], from[right]) <= 0);
            to[i] = takeLeft ? from[left++] : from[right++];
        }
    }

    private static void insert(int[] values, int begin, int end, ByNode order) {
        for (int i = begin + 1; i < end; i++) {
            int value = values[i];
            int at = i;
            while (at > begin && order.compare(values[at - 1], value) > 0) {
                values[at] = values[at - 1];
                at--;
            }
            values[at] = value;
        }
    }
}
