// SPDX-License-Identifier: Apache-2.0
package dev.nescio.report;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Set;

/**
 * HTML and SVG that are safe by construction: tags come from this program, and all text and all values of attributes are escaped, so that no
 * name in somebody's data can become markup. Numbers are written alike in every locale.
 */
public final class Markup {

    private static final Set<String> INLINE =
            Set.of("a", "b", "u", "span", "small", "td", "th", "title", "option", "select", "label", "dt");

    private final StringBuilder out = new StringBuilder();
    private final Deque<String> open = new ArrayDeque<>();

    /** Begins an element; attributes are names and values in turn. */
    public Markup open(String tag, Object... attributes) {
        out.append('<').append(name(tag));
        for (int i = 0; i < attributes.length; i += 2) {
            out.append(' ').append(name((String) attributes[i])).append("=\"");
            out.append(escaped(String.valueOf(attributes[i + 1]))).append('"');
        }
        out.append('>');
        open.push(tag);
        return this;
    }

    /** Ends the element that was begun last. */
    public Markup close() {
        String tag = open.pop();
        out.append("</").append(tag).append('>');
        if (!INLINE.contains(tag)) {
            out.append('\n');
        }
        return this;
    }

    /** Adds text to the element that is open; markup in it is escaped. */
    public Markup text(String words) {
        out.append(escaped(words));
        return this;
    }

    /** An element with nothing but text in it. */
    public Markup put(String tag, String words, Object... attributes) {
        return open(tag, attributes).text(words).close();
    }

    /** Something that is markup already. */
    public Markup put(Markup part) {
        out.append(part);
        return this;
    }

    private static String name(String name) {
        if (!name.matches("[a-zA-Z][a-zA-Z0-9-]*")) {
            throw new IllegalArgumentException("'" + name + "' is no name of a tag or an attribute");
        }
        return name;
    }

    /** A number with so many decimals. */
    public static String fixed(double value, int decimals) {
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    private static String escaped(String words) {
        StringBuilder safe = new StringBuilder(words.length());
        for (int i = 0; i < words.length(); i++) {
            char c = words.charAt(i);
            switch (c) {
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '&' -> safe.append("&amp;");
                case '"' -> safe.append("&quot;");
                // Other control characters are allowed in neither HTML nor XML.
                default -> safe.append(c < ' ' && c != '\n' && c != '\t' ? '\uFFFD' : c);
            }
        }
        return safe.toString();
    }

    @Override
    public String toString() {
        if (!open.isEmpty()) {
            throw new IllegalStateException("<" + open.peek() + "> has no end");
        }
        return out.toString();
    }
}
