// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks a service, as a program of its users would. */
final class Client {

    static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI address;

    Client(URI address) {
        this.address = address;
    }

    static String encoded(String id) {
        return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
    }

    HttpResponse<byte[]> send(String method, String path, String body, String... headers) {
        return sendBytes(
                method,
                path,
                body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body),
                headers);
    }

    /** The answer to bytes that must be taken. */
    JsonNode upload(String path, byte[] body, String... headers) {
        return ok(sendBytes("POST", path, HttpRequest.BodyPublishers.ofByteArray(body), headers), path);
    }

    private HttpResponse<byte[]> sendBytes(
            String method, String path, HttpRequest.BodyPublisher body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address.resolve(path))
                .timeout(Duration.ofSeconds(60))
                .method(method, body);
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    JsonNode json(HttpResponse<byte[]> response) {
        return JSON.readTree(response.body());
    }

    /** The answer to a GET that must succeed. */
    JsonNode get(String path) {
        return ok(send("GET", path, null), path);
    }

    JsonNode ask(String method, String path, Object body, String... headers) {
        String text = body instanceof String given ? given : JSON.writeValueAsString(body);
        return ok(send(method, path, text, headers), path);
    }

    private JsonNode ok(HttpResponse<byte[]> response, String path) {
        if (response.statusCode() != 200) {
            throw new AssertionError(path + " answers " + response.statusCode() + ": "
                    + new String(response.body(), StandardCharsets.UTF_8));
        }
        return json(response);
    }
}
