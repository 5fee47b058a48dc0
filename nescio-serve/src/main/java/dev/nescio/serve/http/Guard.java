// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands before every request: headers, who may ask, how many at a time; and behind it: metrics and log. */
public final class Guard implements Filter {

    static final String ROUTE = "nescio.route";

    static final String REQUEST_ID = "X-Request-Id";

    /** What every answer carries. */
    static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self';"
                    + " form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
            "X-Content-Type-Options",
            "nosniff",
            "X-Frame-Options",
            "DENY",
            "Referrer-Policy",
            "no-referrer",
            "Cross-Origin-Opener-Policy",
            "same-origin",
            "Cross-Origin-Resource-Policy",
            "same-origin",
            "Permissions-Policy",
            "camera=(), microphone=(), geolocation=()",
            "Cache-Control",
            "no-store");

    private final Access access;
    private final Live live;
    private final int atOnce;
    private final PrometheusMeterRegistry metrics;
    private final AccessLog log;
    private final AtomicInteger running = new AtomicInteger();

    /** @param live asked whether the service is stopping: what has begun before is finished, what comes later is refused */
    Guard(Access access, Live live, PrometheusMeterRegistry metrics, AccessLog log) {
        this.access = access;
        this.live = live;
        this.atOnce = live.limits().atOnce();
        this.metrics = metrics;
        this.log = log;
        metrics.gauge("nescio.requests.running", running);
    }

    /** How many requests are being answered. */
    int running() {
        return running.get();
    }

    @Override
    public void doFilter(ServletRequest given, ServletResponse answer, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest request = (HttpServletRequest) given;
        HttpServletResponse response = (HttpServletResponse) answer;
        long begin = System.nanoTime();
        String id = newId();
        headers(response, id, request.isSecure());
        boolean isHealth = request.getRequestURI().startsWith("/health/")
                || request.getRequestURI().startsWith("/v2/health/");
        int now = running.incrementAndGet();
        try {
            Access.Denial denial = access.denial(request);
            if (denial != null) {
                if (denial.status() == 401) {
                    response.setHeader("WWW-Authenticate", "Bearer realm=\"nescio\"");
                }
                refuse(request, response, denial.status(), denial.message());
            } else if (live.isStopping() && !isHealth) {
                response.setHeader("Retry-After", "1");
                refuse(request, response, 503, "the service is stopping");
            } else if (now > atOnce && !isHealth) {
                response.setHeader("Retry-After", "1");
                refuse(request, response, 429, "more than " + atOnce + " requests at a time; try again in a second");
            } else {
                chain.doFilter(request, response);
            }
        } finally {
            running.decrementAndGet();
            long nanos = System.nanoTime() - begin;
            String route = String.valueOf(Objects.requireNonNullElse(request.getAttribute(ROUTE), "other"));
            String method = isKnown(request.getMethod()) ? request.getMethod() : "OTHER";
            Timer.builder("nescio.requests")
                    .tag("method", method)
                    .tag("route", route)
                    .tag("status", Integer.toString(response.getStatus()))
                    .publishPercentileHistogram(false)
                    .register(metrics)
                    .record(Duration.ofNanos(nanos));
            log.request(id, method, route, response.getStatus(), nanos / 1e6);
        }
    }

    private static boolean isKnown(String method) {
        return Set.of("GET", "HEAD", "POST", "PUT", "DELETE").contains(method);
    }

    private static void headers(HttpServletResponse response, String id, boolean isSecure) {
        response.setHeader(REQUEST_ID, id);
        HEADERS.forEach(response::setHeader);
        if (isSecure) {
            response.setHeader("Strict-Transport-Security", "max-age=31536000");
        }
    }

    static String newId() {
        return UUID.randomUUID().toString();
    }

    static byte[] error(int status, String message) {
        return Json.MAPPER.writeValueAsBytes(Map.of("error", new Problem(status, message)));
    }

    /** As every refusal looks. */
    record Problem(int status, String message) {}

    /** A refusal in the form that belongs to a path. */
    static byte[] error(String path, int status, String message) {
        boolean isInference = path.equals("/v2") || path.startsWith("/v2/");
        return isInference ? Inference.error(message) : error(status, message);
    }

    private static void refuse(HttpServletRequest request, HttpServletResponse response, int status, String message)
            throws IOException {
        response.setStatus(status);
        response.setContentType("application/json");
        response.getOutputStream().write(error(request.getRequestURI(), status, message));
    }
}
