// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.HttpConnection;

/** Cuts off connections on which the headers of a request take too long, however steadily their bytes come. */
final class SlowHeads implements Connection.Listener, AutoCloseable {

    private static final long LOOK_MILLIS = 500;
    private static final Head NONE = new Head(-1, 0);

    private final Map<HttpConnection, Head> open = new ConcurrentHashMap<>();
    private final long nanos;
    private final Thread thread = new Thread(this::run, "nescio-slow-heads");

    /** The headers of the request with a number, which have begun at a moment. */
    private record Head(long request, long since) {}

    SlowHeads(Duration longest) {
        this.nanos = longest.toNanos();
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (true) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
                look();
            }
        } catch (InterruptedException e) {
            // The service stops.
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof HttpConnection http) {
            open.put(http, NONE);
        }
    }

    @Override
    public void onClosed(Connection connection) {
        if (connection instanceof HttpConnection http) {
            open.remove(http);
        }
    }

    private void look() {
        long now = System.nanoTime();
        open.forEach((connection, before) -> {
            Head head = head(connection, before, now);
            open.replace(connection, head);
            if (head.request >= 0 && now - head.since > nanos) {
                connection.getEndPoint().close();
            }
        });
    }

    private static Head head(HttpConnection connection, Head before, long now) {
        HttpParser parser = connection.getParser();
        if (!parser.inHeaderState() || parser.isStart()) {
            return NONE;
        }
        long request = connection.getMessagesIn();
        return before.request == request ? before : new Head(request, now);
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
