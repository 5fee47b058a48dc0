// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import dev.nescio.problem.EngineFailure;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bytedeco.javacpp.PointerScope;

/**
 * Owner of the native memory of every tensor made on this thread until it ends. Scopes nest; a tensor that must
 * outlive its scope is returned from {@link #keep} or handed to an {@link Arena}.
 */
public final class Scope {

    private Scope() {}

    /** Runs and frees every tensor made on the way. Failures of libtorch become {@link EngineFailure}. */
    public static <T> T run(Supplier<T> body) {
        Engine.enter();
        try (PointerScope scope = new PointerScope()) {
            return body.get();
        } catch (RuntimeException e) {
            throw translated(e);
        } finally {
            if (PointerScope.getInnerScope() == null) {
                CustomGradient.release();
            }
        }
    }

    /** Runs and frees every tensor made on the way. */
    public static void run(Runnable body) {
        run(() -> {
            body.run();
            return true;
        });
    }

    /** Runs and frees every tensor made on the way but the result, which the enclosing scope then owns. */
    public static Tensor keep(Supplier<Tensor> body) {
        return keep(body, Stream::of);
    }

    /** The same for a result that consists of several tensors. */
    public static <T> T keep(Supplier<T> body, Function<T, Stream<Tensor>> parts) {
        PointerScope outer = PointerScope.getInnerScope();
        try (PointerScope scope = new PointerScope()) {
            T result = body.get();
            parts.apply(result).forEach(part -> outer.attach(part.raw()));
            return result;
        }
    }

    private static RuntimeException translated(RuntimeException e) {
        // The bindings throw RuntimeException itself; subclasses are our own or the JDK's and pass unchanged.
        if (e.getClass() != RuntimeException.class) {
            return e;
        }
        String message = String.valueOf(e.getMessage());
        int end = message.indexOf('\n');
        String first = end < 0 ? message : message.substring(0, end);
        return new EngineFailure(
                message.contains("allocate memory") || message.contains("not enough memory")
                        ? "not enough memory: " + first + "; a smaller --hidden or fewer nodes would fit"
                        : "libtorch failed: " + first,
                e);
    }
}
