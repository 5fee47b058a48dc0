// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Copies in native memory that were used lately, kept for whoever needs the same again: the owner of all of them. A copy is freed when
 * the objects that it was made from are gone, or when newer copies need the room; never while somebody uses it. Any thread may ask.
 *
 * @param <V> what is kept; may be used by several threads at a time
 */
public final class Kept<V extends AutoCloseable> {

    private final long mostBytes;
    private final ToLongFunction<V> bytes;

    /** The one that was used last is the first. */
    private final Deque<Entry<V>> entries = new ArrayDeque<>();

    /** @param bytes how much native memory a copy takes now */
    public Kept(long mostBytes, ToLongFunction<V> bytes) {
        this.mostBytes = mostBytes;
        this.bytes = bytes;
    }

    private static final class Entry<V> {

        private final List<WeakReference<Object>> sources;
        private final V value;
        private int users;

        Entry(List<Object> sources, V value) {
            this.sources = sources.stream().map(WeakReference::new).toList();
            this.value = value;
        }

        boolean isOf(List<Object> others) {
            for (int i = 0; i < sources.size(); i++) {
                if (!sources.get(i).refersTo(others.get(i))) {
                    return false;
                }
            }
            return true;
        }

        boolean isGone() {
            return sources.stream().anyMatch(source -> source.refersTo(null));
        }
    }

    /**
     * Runs with the copy of some objects, which are known by their identity; makes it where there is none.
     *
     * @param sources as many for every copy, and what the copy depends on: they never change
     */
    public <T> T with(List<Object> sources, Supplier<V> make, Function<V, T> body) {
        Entry<V> entry = take(sources);
        if (entry == null) {
            entry = add(new Entry<>(sources, make.get()));
        }
        try {
            return body.apply(entry.value);
        } finally {
            giveBack(entry);
        }
    }

    private synchronized @Nullable Entry<V> take(List<Object> sources) {
        for (Entry<V> entry : entries) {
            if (entry.isOf(sources)) {
                entries.remove(entry);
                entries.addFirst(entry);
                entry.users++;
                return entry;
            }
        }
        return null;
    }

    /** Where two threads have made the same at a time, both copies stay until there is no room for the older one. */
    private synchronized Entry<V> add(Entry<V> entry) {
        entry.users++;
        entries.addFirst(entry);
        return entry;
    }

    private synchronized void giveBack(Entry<V> given) {
        given.users--;
        long kept = 0;
        for (Iterator<Entry<V>> all = entries.iterator(); all.hasNext(); ) {
            Entry<V> entry = all.next();
            kept += bytes.applyAsLong(entry.value);
            if (entry.users == 0 && (entry.isGone() || kept > mostBytes)) {
                kept -= bytes.applyAsLong(entry.value);
                all.remove();
                close(entry.value);
            }
        }
    }

    private static void close(AutoCloseable value) {
        try {
            value.close();
        } catch (Exception e) {
            throw new IllegalStateException("native memory could not be freed", e);
        }
    }

    /** How many copies there are. */
    synchronized int size() {
        return entries.size();
    }
}
