// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import dev.nescio.problem.BadConfiguration;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where a service listens, who may ask, what it keeps.
 *
 * @param host name or address to bind to
 * @param port 0 picks a free one
 * @param token that requests must carry; null only on the loopback address
 * @param store folder in which what was kept and decided survives; null to keep nothing on disk
 * @param certificate chain of certificates as PEM; null for plain HTTP
 * @param key private key as PEM (PKCS 8); null for plain HTTP
 * @param jsonLog whether log lines are JSON
 * @param quiet whether only failures are logged
 * @param atOnce requests that are answered at a time
 * @param time that one request may take
 * @param bodyBytes that one request may send
 */
public record ServeOptions(
        String host,
        int port,
        @Nullable String token,
        @Nullable Path store,
        @Nullable Path certificate,
        @Nullable Path key,
        boolean jsonLog,
        boolean quiet,
        int atOnce,
        Duration time,
        int bodyBytes) {

    private static final int SHORTEST_TOKEN = 16;

    /** Loopback, port 8080, no token, nothing on disk. */
    public static ServeOptions defaults() {
        return new ServeOptions(
                "127.0.0.1", 8080, null, null, null, null, false, false, 40, Duration.ofSeconds(30), 32 << 20);
    }

    /** Refuses another address than loopback without a token, a short token, and a certificate without a key. */
    public ServeOptions {
        if (port < 0 || port > 65_535) {
            throw new BadConfiguration("a port lies between 0 and 65535, got " + port);
        }
        if (token != null && token.length() < SHORTEST_TOKEN) {
            throw new BadConfiguration(
                    "the token has " + token.length() + " characters; it needs at least " + SHORTEST_TOKEN);
        }
        if (token == null && !isLoopback(host)) {
            throw new BadConfiguration(
                    "on " + host + " others can reach the service: give it a token with --token-file or NESCIO_TOKEN");
        }
        if ((certificate == null) != (key == null)) {
            throw new BadConfiguration("--tls-cert and --tls-key go together");
        }
        if (atOnce < 1) {
            throw new BadConfiguration("at least one request must be answered at a time, got " + atOnce);
        }
        if (time.isNegative() || time.isZero()) {
            throw new BadConfiguration("the time of a request must be positive");
        }
        if (bodyBytes < 1) {
            throw new BadConfiguration("a body must be allowed to have at least one byte");
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new BadConfiguration("there is no host '" + host + "'", e);
        }
    }

    /** The same on another port; 0 picks a free one. */
    public ServeOptions withPort(int other) {
        return new ServeOptions(host, other, token, store, certificate, key, jsonLog, quiet, atOnce, time, bodyBytes);
    }

    /** The same on another address, for those who know the token; null needs none. */
    public ServeOptions withAccess(String address, @Nullable String secret) {
        return new ServeOptions(
                address, port, secret, store, certificate, key, jsonLog, quiet, atOnce, time, bodyBytes);
    }

    /** The same with a folder in which what is acknowledged survives. */
    public ServeOptions withStore(@Nullable Path folder) {
        return new ServeOptions(host, port, token, folder, certificate, key, jsonLog, quiet, atOnce, time, bodyBytes);
    }

    /** The same over TLS. */
    public ServeOptions withTls(@Nullable Path chain, @Nullable Path secret) {
        return new ServeOptions(host, port, token, store, chain, secret, jsonLog, quiet, atOnce, time, bodyBytes);
    }

    /** The same with another log. */
    public ServeOptions withLog(boolean json, boolean failuresAlone) {
        return new ServeOptions(
                host, port, token, store, certificate, key, json, failuresAlone, atOnce, time, bodyBytes);
    }

    /** The same with other limits. */
    public ServeOptions withLimits(int requests, Duration longest, int bytes) {
        return new ServeOptions(host, port, token, store, certificate, key, jsonLog, quiet, requests, longest, bytes);
    }
}
