// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import java.time.Duration;

/**
 * How much one request may ask for.
 *
 * @param bodyBytes of a request; a detector may have {@link #detectorBytes}
 * @param nodes that one request may add
 * @param edges that one request may add
 * @param text characters of an id, a name or a note
 * @param time that a request may take
 * @param atOnce requests that are answered at the same time
 */
public record Limits(int bodyBytes, int detectorBytes, int nodes, int edges, int text, Duration time, int atOnce) {

    /** What holds unless somebody says otherwise. */
    public static final Limits DEFAULT =
            new Limits(32 << 20, 512 << 20, 10_000, 100_000, 1000, Duration.ofSeconds(30), 40);

    /** The same with another number of requests at a time. */
    public Limits withAtOnce(int requests) {
        return new Limits(bodyBytes, detectorBytes, nodes, edges, text, time, requests);
    }

    /** The same with another time. */
    public Limits withTime(Duration longest) {
        return new Limits(bodyBytes, detectorBytes, nodes, edges, text, longest, atOnce);
    }

    /** The same with another size of bodies. */
    public Limits withBodyBytes(int bytes) {
        return new Limits(bytes, detectorBytes, nodes, edges, text, time, atOnce);
    }
}
