// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map from which another with one more entry is made cheaply: entries lie in layers, and neighbouring layers of similar
 * size are joined.
 */
final class LayeredMap<V> {

    private final List<Map<String, Optional<V>>> layers;
    private final int size;

    private LayeredMap(List<Map<String, Optional<V>>> layers, int size) {
        this.layers = layers;
        this.size = size;
    }

    static <V> LayeredMap<V> empty() {
        return new LayeredMap<>(List.of(), 0);
    }

    int size() {
        return size;
    }

    @Nullable
    V get(String key) {
        for (int l = layers.size() - 1; l >= 0; l--) {
            Optional<V> value = layers.get(l).get(key);
            if (value != null) {
                return value.orElse(null);
            }
        }
        return null;
    }

    /** The same with another value for a key; null takes the entry away. */
    LayeredMap<V> with(String key, @Nullable V value) {
        int more = (value == null ? 0 : 1) - (get(key) == null ? 0 : 1);
        List<Map<String, Optional<V>>> all = new ArrayList<>(layers);
        Map<String, Optional<V>> last = Map.of(key, Optional.ofNullable(value));
        while (!all.isEmpty() && 2 * last.size() >= all.get(all.size() - 1).size()) {
            Map<String, Optional<V>> joined = new HashMap<>(all.remove(all.size() - 1));
            joined.putAll(last);
            last = joined;
        }
        all.add(last);
        return new LayeredMap<>(List.copyOf(all), size + more);
    }

    void forEach(BiConsumer<String, V> action) {
        Map<String, Optional<V>> whole = new HashMap<>();
        layers.forEach(whole::putAll);
        whole.forEach((key, value) -> value.ifPresent(there -> action.accept(key, there)));
    }
}
