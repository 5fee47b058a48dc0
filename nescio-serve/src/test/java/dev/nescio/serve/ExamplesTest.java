// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Programs of our users need nothing but what every system has: curl, and Python without packages. */
class ExamplesTest {

    private static String run(String... command) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            Assumptions.abort(command[0] + " is not there");
            throw e;
        }
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(out).isZero();
        return out;
    }

    @Test
    void curlLooksUpAndScores() throws Exception {
        try (Service service = Example.start(Example.options())) {
            String node = run("curl", "-sS", "--fail", service.address() + "api/v1/nodes/%F0%9F%A6%89");
            assertThat(Client.JSON.readTree(node).get("id").stringValue()).isEqualTo("🦉");
            String scored = run(
                    "curl",
                    "-sS",
                    "--fail",
                    "-H",
                    "Content-Type: application/json",
                    "-d",
                    "{\"nodes\":[{\"id\":\"x\",\"columns\":{\"f0\":1}}],\"edges\":[[\"x\",\"n17\"]]}",
                    service.address() + "api/v1/score");
            assertThat(Client.JSON
                            .readTree(scored)
                            .get("nodes")
                            .get(0)
                            .get("role")
                            .stringValue())
                    .isEqualTo("new");
        }
    }

    @Test
    void pythonLooksUpAndScores() throws Exception {
        String program = """
                import json, sys, urllib.parse, urllib.request

                base = sys.argv[1]

                def ask(path, body=None):
                    data = None if body is None else json.dumps(body).encode()
                    request = urllib.request.Request(base + path, data, {"Content-Type": "application/json"})
                    with urllib.request.urlopen(request) as answer:
                        return json.load(answer)

                flagged = ask("api/v1/nodes?flagged=true&limit=1")["nodes"][0]
                same = ask("api/v1/nodes/" + urllib.parse.quote(flagged["id"], safe=""))
                assert same["pValue"] == flagged["pValue"]
                answer = ask("api/v1/score", {"nodes": [{"id": "x", "columns": {"f0": 1}}], "edges": [["x", flagged["id"]]]})
                print(answer["nodes"][0]["id"])
                """;
        try (Service service = Example.start(Example.options())) {
            assertThat(run("python3", "-c", program, service.address().toString())
                            .strip())
                    .isEqualTo("x");
        }
    }
}
