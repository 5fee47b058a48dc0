// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.file;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A moment between two changes on disk, at which a process may be killed without losing anything. Tests kill it there, one moment after
 * the other: {@code -Dnescio.crash.at=N} ends the process at the N-th, as a kill would, without a word.
 */
public final class CrashPoint {

    private static final int KILLED = 137;
    private static final int AT = Integer.getInteger("nescio.crash.at", 0);
    private static final AtomicInteger PASSED = new AtomicInteger();

    private CrashPoint() {}

    /** Marks such a moment; does nothing unless {@code nescio.crash.at} is set. */
    public static void pass() {
        if (AT > 0 && PASSED.incrementAndGet() == AT) {
            Runtime.getRuntime().halt(KILLED);
        }
    }
}
