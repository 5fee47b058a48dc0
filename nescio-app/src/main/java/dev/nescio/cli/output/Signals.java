// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.output;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends the process at once when somebody asks for it. Java's own way leaves computing threads running while native libraries are taken down
 * beneath them, which crashes now and then. Nothing is lost at once: files are whole or not there.
 */
public final class Signals {

    private static final int FAILED = 128 + 15;
    private static final long PATIENCE_MILLIS = 2000;

    private static volatile Runnable last = () -> {};

    private Signals() {}

    /** What to do before the process ends, as for a service that finishes what it has begun; a second signal does not wait. */
    public static void endAfter(Runnable work) {
        AtomicBoolean isBegun = new AtomicBoolean();
        last = () -> {
            if (isBegun.compareAndSet(false, true)) {
                work.run();
            }
        };
    }

    /** Interrupt, terminate and hang up end the process as the system does by default: exit codes 130, 143 and 129 in a shell. */
    public static void endAtOnce() {
        for (String name : List.of("INT", "TERM", "HUP")) {
            try {
                handle(name);
            } catch (ReflectiveOperationException | RuntimeException e) {
                // Not on this system, or not in this Java: its own way will do.
                System.getLogger(Signals.class.getName()).log(System.Logger.Level.DEBUG, "no handler for " + name, e);
            }
        }
    }

    /** By reflection: compilers warn of this class, though it has been there for ever and is exported on purpose. */
    private static void handle(String name) throws ReflectiveOperationException {
        Class<?> type = Class.forName("sun.misc.Signal");
        Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
        Method handle = type.getMethod("handle", type, handlerType);
        Object byDefault = handlerType.getField("SIG_DFL").get(null);
        Object signal = type.getConstructor(String.class).newInstance(name);
        Object handler = Proxy.newProxyInstance(
                Signals.class.getClassLoader(), new Class<?>[] {handlerType}, (proxy, method, arguments) -> {
                    if (method.getName().equals("handle")) {
                        last.run();
                        handle.invoke(null, signal, byDefault);
                        endBy(name);
                    }
                    return null;
                });
        handle.invoke(null, signal, handler);
    }

    /** Java does not raise a signal that it no longer handles; the shell does. */
    private static void endBy(String name) throws InterruptedException {
        try {
            new ProcessBuilder("sh", "-c", "kill -" + name + " \"$PPID\"")
                    .start()
                    .waitFor();
            Thread.sleep(PATIENCE_MILLIS);
        } catch (IOException e) {
            System.getLogger(Signals.class.getName()).log(System.Logger.Level.DEBUG, "no shell", e);
        }
        Runtime.getRuntime().halt(FAILED);
    }
}
