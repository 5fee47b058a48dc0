// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.broadcast;

import java.lang.ref.SoftReference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Things that are made from a broadcast: once per process, however many tasks use them. The last few are kept while there is room. */
public final class OnePerProcess<T> {

    private final int most;
    private final Map<String, SoftReference<T>> made = new LinkedHashMap<>();

    /** @param most that are kept */
    public OnePerProcess(int most) {
        this.most = most;
    }

    /** The thing of this name; made where it is not there. */
    public synchronized T get(String key, Supplier<T> make) {
        SoftReference<T> kept = made.remove(key);
        @Nullable T known = kept == null ? null : kept.get();
        if (known == null) {
            while (made.size() >= most) {
                made.remove(made.keySet().iterator().next());
            }
            known = make.get();
        }
        made.put(key, new SoftReference<>(known));
        return known;
    }
}
