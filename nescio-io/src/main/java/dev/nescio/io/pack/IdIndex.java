// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.pack;

import java.util.Arrays;

/**
 * Numbers of ids without the ids: of each, 128 bits of a hash are kept, in 30 to 60 bytes per id. Two of a billion ids have the same bits with a
 * probability below 10^-20.
 */
public final class IdIndex {

    private static final long SECOND = 0x9E3779B97F4A7C15L;

    private long[] high = new long[1 << 10];
    private long[] low = new long[1 << 10];
    private int[] numbers = new int[1 << 10];
    private int size;

    /** An index without any id. */
    public IdIndex() {
        Arrays.fill(numbers, -1);
    }

    /** Gives an id the next number, from 0 on; false if it has one already. */
    public boolean add(String id) {
        if (size * 3L > numbers.length * 2L) {
            grow();
        }
        long first = hash(id, 0);
        long second = hash(id, SECOND);
        int at = place(first, second);
        if (numbers[at] >= 0) {
            return false;
        }
        high[at] = first;
        low[at] = second;
        numbers[at] = size++;
        return true;
    }

    /** The number of an id; -1 where it has none. */
    public int find(String id) {
        return numbers[place(hash(id, 0), hash(id, SECOND))];
    }

    /** How many ids have a number. */
    public int size() {
        return size;
    }

    private int place(long first, long second) {
        int mask = numbers.length - 1;
        int at = (int) first & mask;
        while (numbers[at] >= 0 && (high[at] != first || low[at] != second)) {
            at = (at + 1) & mask;
        }
        return at;
    }

    private void grow() {
        long[] oldHigh = high;
        long[] oldLow = low;
        int[] old = numbers;
        int length = Math.multiplyExact(old.length, 2);
        high = new long[length];
        low = new long[length];
        numbers = new int[length];
        Arrays.fill(numbers, -1);
        for (int i = 0; i < old.length; i++) {
            if (old[i] >= 0) {
                int at = place(oldHigh[i], oldLow[i]);
                high[at] = oldHigh[i];
                low[at] = oldLow[i];
                numbers[at] = old[i];
            }
        }
    }

    /** Every character is mixed in by itself, so that no two parts of an id can be exchanged unseen. */
    private static long hash(String id, long begin) {
        long hash = begin + id.length();
        for (int i = 0; i < id.length(); i++) {
            hash = (hash ^ id.charAt(i)) * 0xBF58476D1CE4E5B9L;
            hash = (hash ^ (hash >>> 29)) * 0x94D049BB133111EBL;
            hash ^= hash >>> 32;
        }
        return hash;
    }
}
