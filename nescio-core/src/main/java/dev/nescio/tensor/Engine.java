// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.EngineFailure;
import java.io.IOException;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.bytedeco.pytorch.global.torch;

/**
 * Loads libtorch, once per process, before its first class is touched. Whatever makes a tensor or opens a scope calls
 * {@link #start()} first.
 *
 * <p>Any number of threads may compute at a time, with the same objects: nothing that one of them sets changes what another
 * one computes. The matrix products of OpenBLAS run on one thread each, always, and are cut into blocks by {@link Products}.
 */
public final class Engine {

    private static final int MOST_THREADS = 128;

    private static volatile int threads =
            Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors());
    private static volatile boolean started;

    /** The number of cores for the operations of one thread, where it differs from that of the process; 0 where not. */
    private static final ThreadLocal<Integer> OWN_THREADS = ThreadLocal.withInitial(() -> 0);

    /** What libtorch has been told for this thread: a new thread would begin with what any other one was told last. */
    private static final ThreadLocal<Integer> APPLIED = ThreadLocal.withInitial(() -> 0);

    private Engine() {}

    /**
     * Tunes the C library of this process for large tensors, which halves the time of large steps: blocks of memory are kept
     * rather than given back to the system, in one arena for all threads, and idle workers of libtorch go to sleep early. Concerns
     * everything in the process, so only its owner may ask for it, before anything else of Nescio is used: by calling this, or
     * with the system property {@code nescio.tune=true}. The command line does.
     */
    public static synchronized void tuneProcess() {
        if (!started) {
            NativeTuning.apply();
        }
    }

    /** Loads the native libraries; later calls do nothing. */
    public static void start() {
        if (!started) {
            startOnce();
        }
    }

    private static synchronized void startOnce() {
        if (started) {
            return;
        }
        NativeTuning.liftLimits();
        if (Boolean.getBoolean("nescio.tune")) {
            NativeTuning.apply();
        }
        try {
            // All libraries are unpacked before the first is loaded: JavaCPP unpacks them one by one, and a library
            // whose
            // dependency is not there yet would be bound to another libtorch that the system may have.
            for (String library : new String[] {"openblas", "pytorch"}) {
                Loader.cacheResources("/org/bytedeco/" + library + "/" + Loader.getPlatform() + "/");
            }
            torch.set_num_threads(threads);
            openblas_nolapack.blas_set_num_threads(1);
        } catch (IOException | LinkageError e) {
            throw new EngineFailure(
                    "libtorch could not be loaded for " + Loader.getPlatform()
                            + "; build with -Dnescio.platform=... for this machine (" + e.getMessage() + ")",
                    e);
        }
        started = true;
    }

    /** Loads the native libraries and tells libtorch how many cores the calling thread may use. */
    static void enter() {
        start();
        int wanted = threads();
        if (APPLIED.get() != wanted) {
            torch.set_num_threads(wanted);
            APPLIED.set(wanted);
        }
    }

    /**
     * Sets how many cores computations use from now on, in all threads. Results are the same bytes for any number.
     */
    public static void useThreads(int count) {
        if (count < 1 || count > MOST_THREADS) {
            throw new BadConfiguration(
                    "the number of threads must lie between 1 and " + MOST_THREADS + ", got " + count);
        }
        threads = count;
        enter();
    }

    /** Runs so that the operations of the calling thread use one core, then goes back. */
    static void onOneThread(Runnable body) {
        int before = OWN_THREADS.get();
        OWN_THREADS.set(1);
        enter();
        try {
            body.run();
        } finally {
            OWN_THREADS.set(before);
            enter();
        }
    }

    /** The number of cores that the calling thread's operations use. */
    public static int threads() {
        int own = OWN_THREADS.get();
        return own == 0 ? threads : own;
    }

    /** Refuses a device that is not there. Only {@code cpu} is always there. */
    public static void requireDevice(String device) {
        if (device.equals("cpu")) {
            return;
        }
        if (!device.equals("cuda")) {
            throw new BadConfiguration("there is no device '" + device + "'; there are cpu and cuda");
        }
        throw new BadConfiguration("device 'cuda' is not available: this version of Nescio computes on the cpu only");
    }

    /** The version of libtorch and its bindings. */
    public static String version() {
        String version = torch.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }
}
