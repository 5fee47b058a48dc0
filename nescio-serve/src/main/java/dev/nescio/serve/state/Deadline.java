// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import java.time.Duration;
import java.util.function.IntPredicate;

/** Until when a request must have its answer; long loops look at it now and then. */
public final class Deadline {

    private static final int SELDOM = 1023;

    private final Duration limit;
    private final long end;

    private Deadline(Duration limit) {
        this.limit = limit;
        this.end = System.nanoTime() + limit.toNanos();
    }

    /** So long from now on. */
    public static Deadline in(Duration limit) {
        return new Deadline(limit);
    }

    /** Refuses to go on where the time is over. */
    public void check() {
        if (System.nanoTime() - end > 0) {
            throw new Refused(
                    413,
                    "the answer takes longer than " + limit.toSeconds() + " seconds, which is the limit; ask for less");
        }
    }

    /** The same filter, which refuses to go on where the time is over. For one thread. */
    public IntPredicate on(IntPredicate filter) {
        int[] calls = {0};
        return node -> {
            if ((calls[0]++ & SELDOM) == 0) {
                check();
            }
            return filter.test(node);
        };
    }
}
