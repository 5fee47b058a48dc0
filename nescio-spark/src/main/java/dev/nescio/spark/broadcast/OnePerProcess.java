// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.broadcast;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Things that are made from a broadcast: once per process, however many tasks use them. The last few are kept. */
final class OnePerProcess<T> {

    private static final int MOST = 4;

    private final Map<String, T> made = new LinkedHashMap<>(MOST, 0.75f, true);

    synchronized T get(String key, Supplier<T> make) {
        @Nullable T known = made.get(key);
        if (known == null) {
            known = make.get();
            made.put(key, known);
            if (made.size() > MOST) {
                made.remove(made.keySet().iterator().next());
            }
        }
        return known;
    }
}
