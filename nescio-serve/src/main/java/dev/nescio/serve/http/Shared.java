// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Something that is the same for all as long as nothing changes. One request makes it; the others wait for that one, and none of them keeps
 * others from computing meanwhile.
 */
final class Shared<K, V> {

    private final Live live;
    private final ReentrantLock making = new ReentrantLock();
    private volatile @Nullable Made<K, V> made;

    private record Made<K, V>(K key, V value) {}

    Shared(Live live) {
        this.live = live;
    }

    /**
     * What was made for a key, or is made now.
     *
     * @param key what it depends on
     */
    V get(K key, Supplier<V> make) {
        V known = known(key);
        if (known != null) {
            return known;
        }
        live.await(making);
        try {
            V meanwhile = known(key);
            if (meanwhile != null) {
                return meanwhile;
            }
            V value = live.compute(make);
            made = new Made<>(key, value);
            return value;
        } finally {
            making.unlock();
        }
    }

    private @Nullable V known(K key) {
        Made<K, V> last = made;
        return last != null && last.key.equals(key) ? last.value : null;
    }
}
