// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who may ask. Without a token, only whoever sits at this machine, and no page of another site in their browser. */
public final class Access {

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private final byte @Nullable [] token;
    private final @Nullable String host;

    /**
     * @param token that requests must carry; null where none is needed
     * @param host that the service was bound to by name, which requests may call it by besides the names of this machine
     */
    public Access(@Nullable String token, @Nullable String host) {
        this.token = token == null ? null : token.getBytes(StandardCharsets.UTF_8);
        this.host = host;
    }

    /** What is wrong with a request; null where nothing is. */
    @Nullable
    Denial denial(HttpServletRequest request) {
        if (!isOwnOrigin(request)) {
            return new Denial(403, "a page of another site may not ask this service");
        }
        if (isPublic(request.getRequestURI())) {
            return null;
        }
        if (token == null) {
            return isOwnName(request.getHeader("Host"))
                    ? null
                    : new Denial(403, "without a token the service answers to the names of this machine alone");
        }
        String given = request.getHeader("Authorization");
        boolean isRight = given != null
                && given.regionMatches(true, 0, "Bearer ", 0, 7)
                && MessageDigest.isEqual(token, given.substring(7).strip().getBytes(StandardCharsets.UTF_8));
        return isRight ? null : new Denial(401, "this service needs its token: 'Authorization: Bearer TOKEN'");
    }

    /** A refusal with its status. */
    record Denial(int status, String message) {}

    /** What holds no data. */
    private static boolean isPublic(String path) {
        return path.equals("/")
                || path.equals("/index.html")
                || path.equals("/favicon.ico")
                || path.equals("/openapi.json")
                || path.startsWith("/assets/")
                || path.startsWith("/health/")
                || path.startsWith("/v2/health/");
    }

    private boolean isOwnName(@Nullable String header) {
        if (header == null) {
            return false;
        }
        String name = header.replaceFirst(":[0-9]+$", "").toLowerCase(Locale.ROOT);
        return LOOPBACK.contains(name) || name.equalsIgnoreCase(host);
    }

    /** Browsers name the page that asks; it must have come from here. */
    private static boolean isOwnOrigin(HttpServletRequest request) {
        String origin = request.getHeader("Origin");
        String host = request.getHeader("Host");
        return origin == null
                || (host != null && origin.replaceFirst("^https?://", "").equalsIgnoreCase(host));
    }
}
