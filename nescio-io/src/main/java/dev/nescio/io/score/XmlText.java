// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.score;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes XML. The writers of the JDK leave line breaks and tabs in attributes as they are, which readers turn into blanks: two ids
 * could become one.
 */
final class XmlText {

    private final Writer out;
    private final Deque<String> open = new ArrayDeque<>();
    private boolean isInTag;

    XmlText(Writer out) throws IOException {
        this.out = out;
        out.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    }

    void start(String element) throws IOException {
        endTag();
        out.write('<');
        out.write(element);
        open.push(element);
        isInTag = true;
    }

    /** Of the element that was started last. */
    void attribute(String name, String value) throws IOException {
        out.write(' ');
        out.write(name);
        out.write("=\"");
        out.write(escaped(value).replace("\"", "&quot;").replace("\t", "&#9;").replace("\n", "&#10;"));
        out.write('"');
    }

    void text(String text) throws IOException {
        endTag();
        out.write(escaped(text));
    }

    /** Ends the element that was started last. */
    void end() throws IOException {
        String element = open.pop();
        if (isInTag) {
            out.write("/>");
            isInTag = false;
        } else {
            out.write("</" + element + ">");
        }
    }

    private void endTag() throws IOException {
        if (isInTag) {
            out.write('>');
            isInTag = false;
        }
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\r", "&#13;");
    }
}
