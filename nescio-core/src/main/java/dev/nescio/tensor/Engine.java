package dev.nescio.tensor;

import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.EngineFailure;
import java.io.IOException;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.bytedeco.pytorch.global.torch;

/**
 * Loads and tunes libtorch, once per process, before its first class is touched. Whatever makes a tensor or opens a scope
 * calls {@link #start()} first.
 */
public final class Engine {

    private static final int MOST_THREADS = 128;

    private static final ThreadLocal<Integer> THREADS = ThreadLocal.withInitial(
            () -> Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors()));

    private static volatile boolean started;

    private Engine() {}

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
        NativeTuning.apply();
        try {
            // All libraries are unpacked before the first is loaded: JavaCPP unpacks them one by one, and a library
            // whose
            // dependency is not there yet would be bound to another libtorch that the system may have.
            for (String library : new String[] {"openblas", "pytorch"}) {
                Loader.cacheResources("/org/bytedeco/" + library + "/" + Loader.getPlatform() + "/");
            }
            torch.set_num_threads(THREADS.get());
            openblas_nolapack.blas_set_num_threads(THREADS.get());
        } catch (IOException | LinkageError e) {
            throw new EngineFailure(
                    "libtorch could not be loaded for " + Loader.getPlatform()
                            + "; build with -Dnescio.platform=... for this machine (" + e.getMessage() + ")",
                    e);
        }
        started = true;
    }

    /**
     * Sets how many cores the calling thread's operations use. Results are the same bytes for the same number; other
     * numbers may differ in the last bit. The matrix products share one setting, the last one given by any thread.
     */
    public static void useThreads(int threads) {
        if (threads < 1 || threads > MOST_THREADS) {
            throw new BadConfiguration(
                    "the number of threads must lie between 1 and " + MOST_THREADS + ", got " + threads);
        }
        THREADS.set(threads);
        start();
        torch.set_num_threads(threads);
        openblas_nolapack.blas_set_num_threads(threads);
    }

    /** Runs with one thread and matrix products on one thread in the whole process, then goes back. */
    static void onOneThread(Runnable body) {
        int before = threads();
        useThreads(1);
        try {
            body.run();
        } finally {
            useThreads(before);
        }
    }

    /** Runs a helper of somebody who is in {@link #onOneThread}: sets what belongs to this thread and nothing else. */
    static void asHelper(Runnable body) {
        THREADS.set(1);
        torch.set_num_threads(1);
        body.run();
    }

    /** The number of cores that the calling thread's operations use. */
    public static int threads() {
        return THREADS.get();
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
