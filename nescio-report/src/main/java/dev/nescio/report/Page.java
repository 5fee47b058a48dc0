// SPDX-License-Identifier: Apache-2.0
package dev.nescio.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.json.JsonMapper;

/** Puts data and the plotting library into the template. */
public final class Page {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private Page() {}

    public static String render(Object data) {
        // "<" is escaped, so that no name in the data can end the script.
        String json = JSON.writeValueAsString(data).replace("<", "\\u003c");
        String[] template = resource("report.html").split("\\{\\{echarts}}", 2);
        return template[0] + resource("echarts.common.min.js") + template[1].replace("{{data}}", json);
    }

    /** The page of a study around its body, which is HTML already. */
    public static String study(String body) {
        return resource("study.html").replace("{{body}}", body);
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
