// SPDX-License-Identifier: Apache-2.0
package dev.nescio.report;

import dev.nescio.io.file.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/** Puts data and the plotting library into the template. */
public final class Page {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final Pattern SCRIPT = Pattern.compile("<script>(.*?)</script>", Pattern.DOTALL);

    private Page() {}

    /**
     * A whole page of HTML about some data, with its script inside: it needs no network. The data become JSON, in which no text
     * can end the script.
     */
    public static String render(Object data) {
        // "<" is escaped, so that no name in the data can end the script.
        String json = JSON.writeValueAsString(data).replace("<", "\\u003c");
        String[] template = resource("report.html").split("\\{\\{echarts}}", 2);
        String[] rest = template[1].split("\\{\\{data}}", 2);
        return guarded(template[0], resource("echarts.common.min.js") + rest[0] + json + rest[1]);
    }

    /** The page of a study around its body. */
    public static String study(Markup body) {
        String[] template = resource("study.html").split("\\{\\{body}}", 2);
        return guarded(template[0], body + template[1]);
    }

    /** Lets the page run its own scripts, which are known by their hashes, and nothing else: no other script, and no network. */
    private static String guarded(String head, String rest) {
        StringBuilder hashes = new StringBuilder();
        Matcher scripts = SCRIPT.matcher(head + rest);
        while (scripts.find()) {
            hashes.append(" 'sha256-").append(sha256(scripts.group(1))).append('\'');
        }
        String policy = "default-src 'none'; script-src" + hashes
                + "; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
        // Only in the head, which is ours: what comes behind it holds names that others have chosen.
        return head.replace("{{policy}}", policy) + rest;
    }

    private static String sha256(String text) {
        return Base64.getEncoder().encodeToString(Sha256.digest().digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static String resource(String name) {
        try (InputStream in = Page.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource " + name + " is missing from the build");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
