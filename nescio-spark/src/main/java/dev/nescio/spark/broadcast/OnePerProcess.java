// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.broadcast;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Things that are made from a broadcast: once per process, however many tasks use them. The last few are kept. */
public final class OnePerProcess<T> {

    private final int most;
    private final Map<String, T> made = new LinkedHashMap<>(4, 0.75f, true);

    /** @param most that are kept */
    public OnePerProcess(int most) {
        this.most = most;
    }

    /** The thing of this name; made where it is not there. */
    public synchronized T get(String key, Supplier<T> make) {
        @Nullable T known = made.get(key);
        if (known == null) {
            while (made.size() >= most) {
                made.remove(made.keySet().iterator().next());
            }
            known = make.get();
            made.put(key, known);
        }
        return known;
    }
}
