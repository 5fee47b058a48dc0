// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An immutable list that grows at its front; the newest comes first. */
record Stack<T>(T first, @Nullable Stack<T> rest, int size) {

    static <T> Stack<T> push(@Nullable Stack<T> on, T value) {
        return new Stack<>(value, on, on == null ? 1 : on.size + 1);
    }

    static <T> List<T> list(@Nullable Stack<T> stack, int most) {
        List<T> values = new ArrayList<>();
        for (Stack<T> at = stack; at != null && values.size() < most; at = at.rest) {
            values.add(at.first);
        }
        return values;
    }
}
