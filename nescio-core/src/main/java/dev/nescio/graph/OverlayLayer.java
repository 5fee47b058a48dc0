// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one addition brought to an {@link Overlay}.
 *
 * @param first number of the first node that it added
 * @param ids of the nodes that it added
 * @param features of the same nodes
 * @param index number of each of these nodes, by id
 * @param heard whole rows of the nodes whose senders have changed
 * @param audience whole rows of the nodes whose hearers have changed; null where they are those that it hears
 */
record OverlayLayer(
        int first,
        String[] ids,
        float[][] features,
        Map<String, Integer> index,
        Map<Integer, int[]> heard,
        @Nullable Map<Integer, int[]> audience) {

    /** How much there is to copy when it is joined with another. */
    int size() {
        return ids.length + heard.size();
    }

    /** Both in one; what the later one says of a row holds. */
    OverlayLayer followedBy(OverlayLayer later) {
        return new OverlayLayer(
                first,
                joined(ids, later.ids),
                joined(features, later.features),
                joined(index, later.index),
                joined(heard, later.heard),
                audience == null && later.audience == null ? null : joined(hearers(), later.hearers()));
    }

    /** Whole rows of the nodes whose hearers have changed. */
    Map<Integer, int[]> hearers() {
        return audience == null ? heard : audience;
    }

    private static <K, V> Map<K, V> joined(Map<K, V> earlier, Map<K, V> later) {
        Map<K, V> both = new HashMap<>(earlier);
        both.putAll(later);
        return both;
    }

    private static <T> T[] joined(T[] earlier, T[] later) {
        T[] both = Arrays.copyOf(earlier, earlier.length + later.length);
        System.arraycopy(later, 0, both, earlier.length, later.length);
        return both;
    }
}
