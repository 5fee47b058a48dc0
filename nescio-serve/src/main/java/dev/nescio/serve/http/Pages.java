// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import dev.nescio.serve.state.Refused;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** The page: files that lie beside the code. */
final class Pages {

    private static final String FOLDER = "/dev/nescio/serve/web/";
    private static final Pattern NAME =
            Pattern.compile("(?:[A-Za-z0-9_-][A-Za-z0-9._-]*/){0,5}[A-Za-z0-9_-][A-Za-z0-9._-]*");
    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("html", "text/html; charset=utf-8"),
            Map.entry("js", "text/javascript; charset=utf-8"),
            Map.entry("mjs", "text/javascript; charset=utf-8"),
            Map.entry("css", "text/css; charset=utf-8"),
            Map.entry("svg", "image/svg+xml"),
            Map.entry("png", "image/png"),
            Map.entry("ico", "image/x-icon"),
            Map.entry("json", "application/json"),
            Map.entry("woff2", "font/woff2"),
            Map.entry("txt", "text/plain; charset=utf-8"));

    private final Map<String, byte[]> loaded = new ConcurrentHashMap<>();

    void index(Context context) {
        send(context, "index.html");
    }

    void asset(Context context) {
        send(context, "assets/" + context.pathParam("file"));
    }

    void openApi(Context context) {
        context.contentType("application/json").result(bytes("../openapi.json", "/dev/nescio/serve/openapi.json"));
    }

    private void send(Context context, String name) {
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        if (type == null || !NAME.matcher(name).matches()) {
            throw new Refused(404, "there is no such file");
        }
        context.header("Cache-Control", "no-cache").contentType(type).result(bytes(name, FOLDER + name));
    }

    private byte[] bytes(String name, String resource) {
        byte[] known = loaded.get(name);
        if (known != null) {
            return known;
        }
        try (InputStream in = Pages.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new Refused(404, "there is no such file");
            }
            byte[] read = in.readAllBytes();
            loaded.put(name, read);
            return read;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
