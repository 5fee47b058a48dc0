// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.flag;

import dev.nescio.io.file.AtomicFile;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.serve.ServeOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a service listens, who may ask, what it keeps. */
public final class ServeFlags implements Headed {

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "8080",
            description = "Port; 0 picks a free one (default 8080).")
    int port;

    @Option(
            names = "--host",
            paramLabel = "NAME",
            defaultValue = "127.0.0.1",
            description = "Address to listen on; any but loopback needs a token (default 127.0.0.1).")
    String host;

    @Option(
            names = "--store",
            paramLabel = "DIR",
            description = "Where kept nodes and decisions survive (default: nothing is kept on disk).")
    @Nullable
    Path store;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with the token that requests must carry (default: the variable NESCIO_TOKEN).")
    @Nullable
    Path tokenFile;

    @Option(names = "--tls-cert", paramLabel = "FILE", description = "Chain of certificates as PEM, for HTTPS.")
    @Nullable
    Path certificate;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "Its private key as PEM (PKCS 8).")
    @Nullable
    Path key;

    @Option(names = "--log-json", description = "Log one JSON object a line.")
    boolean logJson;

    @Option(
            names = "--at-once",
            paramLabel = "N",
            defaultValue = "40",
            description = "Requests that are answered at a time; others get 429 (default 40).")
    int atOnce;

    @Option(
            names = "--time-limit",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "How long one request may take (default 30).")
    int seconds;

    @Option(
            names = "--body-limit",
            paramLabel = "SIZE",
            converter = MemorySize.Converter.class,
            description = "How much one request may send, such as 64m (default 32m).")
    @Nullable
    MemorySize body;

    @Override
    public String heading() {
        return "Service";
    }

    /** Whether all of stderr is JSON. */
    public boolean isLogJson() {
        return logJson;
    }

    /** The options that the flags ask for; the token comes from its file or from the environment. */
    public ServeOptions options(boolean quiet) {
        int bytes = body == null ? 32 << 20 : (int) Math.min(1 << 30, body.bytes());
        return ServeOptions.defaults()
                .withPort(port)
                .withAccess(host, token())
                .withStore(store)
                .withTls(certificate, key)
                .withLog(logJson, quiet)
                .withLimits(atOnce, Duration.ofSeconds(seconds), bytes);
    }

    /** Where kept nodes and decisions survive. */
    public @Nullable Path store() {
        return store;
    }

    private @Nullable String token() {
        if (tokenFile == null) {
            String given = System.getenv("NESCIO_TOKEN");
            return given == null || given.isBlank() ? null : given.strip();
        }
        try {
            String text = Files.readString(tokenFile).strip();
            if (text.isEmpty()) {
                throw new BadConfiguration(tokenFile + " holds no token");
            }
            return text;
        } catch (IOException e) {
            throw new BadConfiguration(tokenFile + " cannot be read: " + AtomicFile.reason(e), e);
        }
    }
}
