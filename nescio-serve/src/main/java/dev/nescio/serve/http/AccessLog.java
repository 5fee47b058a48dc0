// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One line per request and per event, as text or as JSON. Never a body, never an id of a node. */
public final class AccessLog {

    /** How lines look. */
    public enum Format {
        /** For people. */
        TEXT,
        /** One JSON object a line. */
        JSON,
        /** Nothing but failures. */
        QUIET
    }

    private final PrintStream out;
    private final Format format;

    /** @param out where lines go */
    public AccessLog(PrintStream out, Format format) {
        this.out = out;
        this.format = format;
    }

    /** An answer. */
    void request(String id, String method, String route, int status, double millis) {
        if (format == Format.QUIET) {
            return;
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("request", id);
        fields.put("method", method);
        fields.put("route", route);
        fields.put("status", status);
        fields.put("millis", Math.round(millis * 1000) / 1000.0);
        line(
                "info",
                format == Format.JSON
                        ? "answered"
                        : String.format(Locale.ROOT, "%s %s %d in %.1f ms, %s", method, route, status, millis, id),
                fields);
    }

    /** Something that happened. */
    public void event(String message) {
        if (format != Format.QUIET) {
            line("info", message, Map.of());
        }
    }

    /** A failure of ours. */
    public void failure(String message, @Nullable Throwable cause) {
        String text = message + (cause == null ? "" : ": " + cause);
        String trace = cause == null ? "" : trace(cause);
        if (format == Format.JSON) {
            line("error", text, cause == null ? Map.of() : Map.of("trace", trace));
        } else {
            line("error", text + (cause == null ? "" : System.lineSeparator() + trace), Map.of());
        }
    }

    private static String trace(Throwable cause) {
        StringWriter text = new StringWriter();
        cause.printStackTrace(new PrintWriter(text, true));
        return text.toString().stripTrailing();
    }

    private void line(String level, String message, Map<String, Object> fields) {
        String at = Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
        if (format == Format.JSON) {
            Map<String, Object> all = new LinkedHashMap<>();
            all.put("at", at);
            all.put("level", level);
            all.put("message", message);
            all.putAll(fields);
            out.println(Json.MAPPER.writeValueAsString(all));
        } else {
            out.println(at + " " + level + " " + message);
        }
    }
}
