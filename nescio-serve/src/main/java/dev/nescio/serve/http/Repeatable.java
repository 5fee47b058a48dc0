// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import dev.nescio.io.file.Sha256;
import dev.nescio.serve.state.Change;
import dev.nescio.serve.state.Store;
import io.javalin.http.Context;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Writes that clients may send again after a broken connection: with the same Idempotency-Key they happen once. */
final class Repeatable {

    private Repeatable() {}

    /** The key of a request; null where it has none. Refuses one that is no name. */
    static @Nullable String key(Context context, Limits limits) {
        String key = context.header("Idempotency-Key");
        return key == null ? null : Json.name(key, "Idempotency-Key", limits.text());
    }

    /** A change with the key of its request. */
    static Change.Entry entry(Context context, Change change, Limits limits) {
        return entry(key(context, limits), change);
    }

    /** A change with a key; null where it has none. */
    static Change.Entry entry(@Nullable String key, Change change) {
        return Store.entry(change, key, key == null ? null : hash(change));
    }

    private static String hash(Change change) {
        return HexFormat.of().formatHex(Sha256.digest().digest(Json.MAPPER.writeValueAsBytes(change)));
    }
}
