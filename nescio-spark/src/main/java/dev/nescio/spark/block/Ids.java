// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import java.util.Arrays;

/** Texts by numbers and numbers by texts, in the order in which they came; a map of boxes would be twice as large. */
final class Ids {

    private static final int NOBODY = -1;

    private String[] ids;
    private int count;
    /** Numbers, at the place of the hash or behind it; always a power of two, and half of them free. */
    private int[] slots;

    /** None yet. */
    Ids() {
        this.ids = new String[1];
        this.slots = free(2);
    }

    /** These, each of them once. */
    Ids(String[] all) {
        this.ids = all.clone();
        this.count = all.length;
        this.slots = free(2 * Math.max(1, all.length));
        place();
    }

    private static int[] free(int least) {
        int[] slots = new int[Integer.highestOneBit(Math.max(2, Math.min(least, 1 << 30) - 1)) << 1];
        Arrays.fill(slots, NOBODY);
        return slots;
    }

    private void place() {
        for (int i = 0; i < count; i++) {
            slots[slot(ids[i])] = i;
        }
    }

    private int slot(String id) {
        int hash = id.hashCode() * 0x9E3779B9;
        int slot = (hash ^ (hash >>> 15)) & (slots.length - 1);
        while (slots[slot] != NOBODY && !ids[slots[slot]].equals(id)) {
            slot = (slot + 1) & (slots.length - 1);
        }
        return slot;
    }

    /** The number of a text; -1 where it has not come. */
    int number(String id) {
        return slots[slot(id)];
    }

    /** The number of a text, which has come now. */
    int add(String id) {
        int slot = slot(id);
        if (slots[slot] != NOBODY) {
            return slots[slot];
        }
        if (count == ids.length) {
            ids = Arrays.copyOf(ids, (int) Math.min(Integer.MAX_VALUE - 8L, 2L * count));
        }
        slots[slot] = count;
        ids[count] = id;
        count++;
        if (2L * count > slots.length && slots.length < 1 << 30) {
            slots = free(2 * slots.length);
            place();
        }
        return count - 1;
    }

    /** All of them, by their numbers. */
    String[] all() {
        return Arrays.copyOf(ids, count);
    }
}
