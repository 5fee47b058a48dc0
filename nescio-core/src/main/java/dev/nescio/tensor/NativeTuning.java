// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Platform;

/**
 * Settings of the C library that must come before libtorch. Untuned, every large tensor is mapped and unmapped again and
 * idle workers of OpenMP spin: a factor of two.
 */
final class NativeTuning {

    private static final int M_TRIM_THRESHOLD = -1;
    private static final int M_TOP_PAD = -2;
    private static final int M_MMAP_MAX = -4;
    private static final int M_ARENA_MAX = -8;
    private static final int TOP_PAD = 256 << 20;

    private NativeTuning() {}

    private interface CLibrary extends Library {
        int mallopt(int parameter, int value);

        int setenv(String name, String value, int overwrite);
    }

    /** JavaCPP's own limit on the size of the process, about four times the heap, would end honest work. */
    static void liftLimits() {
        setDefault("org.bytedeco.javacpp.maxPhysicalBytes", "0");
        setDefault("org.bytedeco.javacpp.maxBytes", "0");
    }

    static void apply() {
        if (!Platform.isLinux()) {
            return;
        }
        try {
            CLibrary c = Native.load("c", CLibrary.class);
            c.setenv("GOMP_SPINCOUNT", "1000", 0);
            c.setenv("OPENBLAS_THREAD_TIMEOUT", "10", 0);
            c.mallopt(M_MMAP_MAX, 0);
            // Threads other than the first would get arenas that give large blocks back to the system in spite of all.
            c.mallopt(M_ARENA_MAX, 1);
            c.mallopt(M_TRIM_THRESHOLD, -1);
            c.mallopt(M_TOP_PAD, TOP_PAD);
        } catch (LinkageError e) {
            // Another C library than glibc: everything works, only slower.
            System.getLogger(NativeTuning.class.getName())
                    .log(System.Logger.Level.DEBUG, "the C library could not be tuned", e);
        }
    }

    private static void setDefault(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }
}
