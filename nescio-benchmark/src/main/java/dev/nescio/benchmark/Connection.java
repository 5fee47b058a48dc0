// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** One connection that is kept open: as little work of its own as possible, since it shares the cores with what it measures. */
final class Connection implements AutoCloseable {

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    Connection(URI address) throws IOException {
        this.socket = new Socket(address.getHost(), address.getPort());
        socket.setTcpNoDelay(true);
        this.in = new BufferedInputStream(socket.getInputStream(), 1 << 14);
        this.out = socket.getOutputStream();
    }

    /** Sends a request and reads the answer; returns its status. */
    int ask(String method, String path, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String head =
                method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + bytes.length + "\r\n\r\n";
        byte[] request = (head + body).getBytes(StandardCharsets.UTF_8);
        out.write(request);
        out.flush();
        String status = line();
        long length = 0;
        boolean isChunked = false;
        for (String header = line(); !header.isEmpty(); header = line()) {
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Long.parseLong(lower.substring(15).strip());
            }
            isChunked |= lower.startsWith("transfer-encoding:");
        }
        if (isChunked) {
            for (long size = chunk(); size > 0; size = chunk()) {
                in.skipNBytes(size + 2);
            }
            line();
        } else {
            in.skipNBytes(length);
        }
        return Integer.parseInt(status.substring(9, 12));
    }

    private long chunk() throws IOException {
        return Long.parseLong(line().strip(), 16);
    }

    private String line() throws IOException {
        StringBuilder text = new StringBuilder();
        int c = in.read();
        while (c != '\n') {
            if (c < 0) {
                throw new IOException("the service has closed the connection");
            }
            if (c != '\r') {
                text.append((char) c);
            }
            c = in.read();
        }
        return text.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
