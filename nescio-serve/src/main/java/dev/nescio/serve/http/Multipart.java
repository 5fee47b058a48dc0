// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import dev.nescio.serve.state.Refused;
import dev.nescio.serve.state.State;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parts of a form, in memory: {@code multipart/form-data} as RFC 7578 has it. */
final class Multipart {

    private static final Pattern BOUNDARY = Pattern.compile("boundary=\"?([^\";,]{1,70})\"?");
    private static final Pattern NAME = Pattern.compile("[; ]name=\"([^\"]{1,100})\"");
    private static final int MOST_PARTS = 10;

    private Multipart() {}

    /** The texts of all parts by their names. */
    static Map<String, String> parts(String contentType, byte[] body) {
        Matcher matcher = BOUNDARY.matcher(contentType);
        if (!matcher.find()) {
            throw new Refused(400, "the Content-Type of a form must name its boundary");
        }
        // Every byte is one character, so that no byte is lost however the parts are encoded.
        String text = new String(body, StandardCharsets.ISO_8859_1);
        String[] pieces = ("\r\n" + text).split(Pattern.quote("\r\n--" + matcher.group(1)), MOST_PARTS + 2);
        if (pieces.length < 3 || !pieces[pieces.length - 1].startsWith("--")) {
            throw new Refused(400, "the form is cut off, or its boundary is not the one that is named");
        }
        Map<String, String> parts = new HashMap<>();
        for (int i = 1; i < pieces.length - 1; i++) {
            int end = pieces[i].indexOf("\r\n\r\n");
            Matcher name = NAME.matcher(end < 0 ? "" : pieces[i].substring(0, end));
            if (!name.find()) {
                throw new Refused(400, "part " + i + " of the form has no name");
            }
            byte[] bytes = pieces[i].substring(end + 4).getBytes(StandardCharsets.ISO_8859_1);
            if (parts.put(name.group(1), text(bytes, name.group(1))) != null) {
                throw new Refused(400, "the form has the part '" + name.group(1) + "' twice");
            }
        }
        return parts;
    }

    /** Replaced by question marks, two different ids could become one. */
    private static String text(byte[] bytes, String part) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new Refused(
                    422,
                    "the part '" + State.shortened(part) + "' is not text in UTF-8; save the table as UTF-8 first");
        }
    }
}
