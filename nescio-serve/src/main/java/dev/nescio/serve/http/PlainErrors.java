// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.ErrorHandler;

/** Refusals of requests that never reached a handler, in the same form as all others. */
public final class PlainErrors extends ErrorHandler {

    private static final String MESSAGE = "the request cannot be read";

    @Override
    public void handle(String target, Request base, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        base.setHandled(true);
        response.setContentType("application/json");
        Guard.HEADERS.forEach(response::setHeader);
        if (response.getHeader(Guard.REQUEST_ID) == null) {
            response.setHeader(Guard.REQUEST_ID, Guard.newId());
        }
        response.getOutputStream().write(Guard.error(response.getStatus(), MESSAGE));
    }

    @Override
    public ByteBuffer badMessageError(int status, String reason, HttpFields.Mutable fields) {
        fields.put(HttpHeader.CONTENT_TYPE, "application/json");
        Guard.HEADERS.forEach(fields::put);
        fields.put(Guard.REQUEST_ID, Guard.newId());
        return ByteBuffer.wrap(Guard.error(status, MESSAGE));
    }
}
