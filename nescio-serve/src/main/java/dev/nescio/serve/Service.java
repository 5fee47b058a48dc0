// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import dev.nescio.problem.BadConfiguration;
import dev.nescio.serve.http.Access;
import dev.nescio.serve.http.AccessLog;
import dev.nescio.serve.http.Api;
import dev.nescio.serve.http.Limits;
import dev.nescio.serve.http.Live;
import dev.nescio.serve.http.PlainErrors;
import dev.nescio.serve.journal.Disk;
import dev.nescio.serve.journal.Journal;
import dev.nescio.serve.state.Store;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.util.JavalinBindException;
import java.net.URI;
import java.nio.file.Path;
import java.util.EnumSet;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.ConnectionLimit;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/**
 * A service that answers over HTTP. It listens at once and answers 503 until {@link #serve} has given it something to answer about.
 *
 * <pre>{@code
 * try (Service service = Service.listen(ServeOptions.defaults().withPort(0))) {
 *     service.serve(new Source.OfGraph("fraud", detector, graph, schema -> graph));
 *     System.out.println(service.address());
 * }
 * }</pre>
 */
public final class Service implements AutoCloseable {

    private static final int SLOWEST_BYTES_PER_SECOND = 512;

    /** What the system has taken over counts as read, so its buffer must not be large. */
    private static final int SLOWEST_READ_BYTES_PER_SECOND = 16 << 10;

    private static final int SEND_BUFFER = 128 << 10;

    private static final int LONGEST_HEADERS = 16 << 10;
    private static final int IDLE_MILLIS = 30_000;

    /** Where there are as many connections as there may be, those that are silent make room for others. */
    private static final int IDLE_MILLIS_WHEN_FULL = 5_000;

    private static final int SPARE_THREADS = 24;
    private static final long PATIENCE_MILLIS = 30_000;

    private final ServeOptions options;
    private final Live live;
    private final Api api;
    private final AccessLog log;
    private final Disk disk;
    private final SlowHeads heads;
    private final Javalin app;
    private @Nullable Store store;
    private boolean isClosed;

    private Service(ServeOptions options, Disk disk) {
        this.options = options;
        this.disk = disk;
        this.log = new AccessLog(
                System.err,
                options.quiet()
                        ? AccessLog.Format.QUIET
                        : options.jsonLog() ? AccessLog.Format.JSON : AccessLog.Format.TEXT);
        this.live = new Live(Limits.DEFAULT
                .withAtOnce(options.atOnce())
                .withTime(options.time())
                .withBodyBytes(options.bodyBytes()));
        this.heads = new SlowHeads(options.time());
        this.api = new Api(live, new Access(options.token(), options.host()), log);
        this.app = Javalin.create(this::configure);
        api.addTo(app);
    }

    /** Begins to listen. */
    public static Service listen(ServeOptions options) {
        return listen(options, Disk.REAL);
    }

    static Service listen(ServeOptions options, Disk disk) {
        Service service = new Service(options, disk);
        try {
            service.app.start();
            service.heads.start();
        } catch (JavalinBindException e) {
            service.heads.close();
            throw new BadConfiguration(
                    "port " + options.port() + " of " + options.host()
                            + " is in use or not allowed; --port 0 picks a free one",
                    e);
        }
        return service;
    }

    /** Something that people should know, in the log. */
    public void note(String text) {
        log.event(text);
    }

    private void configure(JavalinConfig config) {
        config.showJavalinBanner = false;
        config.startupWatcherEnabled = false;
        config.http.maxRequestSize = Long.MAX_VALUE;
        config.http.prefer405over404 = true;
        config.http.disableCompression();
        config.jetty.threadPool = new QueuedThreadPool(2 * options.atOnce() + SPARE_THREADS, 8);
        config.jetty.addConnector(this::connector);
        config.jetty.modifyServer(server -> server.setErrorHandler(new PlainErrors()));
        api.configure(config);
    }

    private Connector connector(Server server, HttpConfiguration ignored) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendXPoweredBy(false);
        http.setRequestHeaderSize(LONGEST_HEADERS);
        http.setMinRequestDataRate(SLOWEST_BYTES_PER_SECOND);
        http.setMinResponseDataRate(SLOWEST_READ_BYTES_PER_SECOND);
        // Ids may hold anything, a slash or a dot among it; paths are never those of files.
        http.setUriCompliance(new UriCompliance("ids", EnumSet.allOf(UriCompliance.Violation.class)));
        Path certificate = options.certificate();
        Path key = options.key();
        ServerConnector connector;
        if (certificate == null || key == null) {
            connector = new ServerConnector(server, new HttpConnectionFactory(http));
        } else {
            SecureRequestCustomizer secure = new SecureRequestCustomizer();
            secure.setSniHostCheck(false);
            http.addCustomizer(secure);
            connector = new ServerConnector(
                    server,
                    new SslConnectionFactory(Tls.of(certificate, key), "http/1.1"),
                    new HttpConnectionFactory(http));
        }
        connector.setHost(options.host());
        connector.setPort(options.port());
        connector.setIdleTimeout(Math.min(IDLE_MILLIS, options.time().toMillis()));
        connector.setAcceptedSendBufferSize(SEND_BUFFER);
        connector.addBean(heads);
        ConnectionLimit limit = new ConnectionLimit(mostConnections(options.atOnce()), connector);
        limit.setIdleTimeout(IDLE_MILLIS_WHEN_FULL);
        server.addBean(limit);
        return connector;
    }

    /** Those who keep a connection and ask now and then are more than those who ask at the same time. */
    static int mostConnections(int atOnce) {
        return 4 * atOnce + 256;
    }

    /** Where it listens. */
    public URI address() {
        String host = options.host().contains(":") ? "[" + options.host() + "]" : options.host();
        return URI.create((options.certificate() == null ? "http" : "https") + "://" + host + ":" + app.port() + "/");
    }

    /** Scores everything, replays what the store holds, and answers from now on. */
    public void serve(Source source) {
        if (source instanceof Source.OfStates states) {
            live.serve(new Live.States(states.name(), states.detector()));
            return;
        }
        Source.OfGraph graph = (Source.OfGraph) source;
        Path folder = options.store();
        Journal journal = folder == null ? null : Journal.open(folder, disk);
        try {
            Store begun = new Store(
                    new Store.Start(graph.name(), graph.detector(), graph.graph(), graph.reader()::read), journal);
            store = begun;
            live.serve(begun);
        } catch (RuntimeException e) {
            if (journal != null) {
                journal.close();
            }
            throw e;
        }
    }

    /** Takes no new requests, finishes what has begun, and stops. */
    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        live.stop();
        api.finish(PATIENCE_MILLIS);
        if (store != null) {
            store.close();
        }
        app.stop();
        heads.close();
    }
}
