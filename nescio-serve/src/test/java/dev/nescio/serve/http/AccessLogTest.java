// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class AccessLogTest {

    private static List<String> failure(AccessLog.Format format) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        AccessLog log = new AccessLog(new PrintStream(bytes, true, StandardCharsets.UTF_8), format);
        log.failure("a failure of ours", new IllegalStateException("two\nlines"));
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void aFailureIsOneObjectALine() {
        List<String> lines = failure(AccessLog.Format.JSON);
        assertThat(lines).hasSize(1);
        JsonNode line = Json.MAPPER.readTree(lines.get(0));
        assertThat(line.get("level").stringValue()).isEqualTo("error");
        assertThat(line.get("trace").stringValue()).contains("IllegalStateException", "\tat ");
    }

    @Test
    void peopleSeeItsTrace() {
        assertThat(failure(AccessLog.Format.TEXT))
                .anyMatch(line -> line.startsWith("\tat ") && line.contains("AccessLogTest"));
    }
}
