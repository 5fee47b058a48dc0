// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.output;

import java.io.PrintWriter;

/** A line on stderr that is redrawn, on a terminal only. Thread-safe. */
public final class ProgressBar implements AutoCloseable {

    private static final int WIDTH = 24;
    private static final long REDRAW_NANOS = 100_000_000;
    /** Off a terminal, a line from time to time tells a log that work goes on. */
    private static final long BEAT_NANOS = Long.getLong("nescio.heartbeat.seconds", 60) * 1_000_000_000;

    private final PrintWriter err;
    private final String what;
    private final boolean shown;
    private final boolean beats;
    private long lastDraw;
    private long lastBeat = System.nanoTime();
    private int lastLength;

    public ProgressBar(PrintWriter err, String what, boolean wanted) {
        this.err = err;
        this.what = what;
        this.shown = wanted && isTerminal();
        this.beats = wanted && !isTerminal();
    }

    /** The launcher knows whether stderr is a terminal; Java alone cannot tell. */
    private static boolean isTerminal() {
        return Boolean.getBoolean("nescio.terminal");
    }

    public synchronized void at(long done, long total, String detail) {
        long now = System.nanoTime();
        if (beats && now - lastBeat > BEAT_NANOS) {
            lastBeat = now;
            err.println(what + ": " + detail);
            err.flush();
        }
        if (!shown || (done < total && now - lastDraw < REDRAW_NANOS)) {
            return;
        }
        lastDraw = now;
        int filled = (int) (WIDTH * Math.min(done, total) / Math.max(1, total));
        String line = what + " [" + "=".repeat(filled) + " ".repeat(WIDTH - filled) + "] " + detail;
        err.print("\r" + line + " ".repeat(Math.max(0, lastLength - line.length())));
        err.flush();
        lastLength = line.length();
    }

    @Override
    public synchronized void close() {
        if (shown && lastLength > 0) {
            err.print("\r" + " ".repeat(lastLength) + "\r");
            err.flush();
        }
    }
}
