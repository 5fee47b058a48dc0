// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.output;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;

/** Text for a terminal: names in somebody's data may hold control characters, which move the cursor or change the title of a window. */
public final class Visible {

    private Visible() {}

    /** Whether stdout is a terminal, where somebody looks at data; the launcher knows. Elsewhere data stay as they are. */
    public static boolean isWanted() {
        return Boolean.getBoolean("nescio.terminal.out");
    }

    /** The same text with control characters spelt out, but for line breaks and tabs. */
    public static String of(String text) {
        StringBuilder visible = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean isHarmless = !Character.isISOControl(c) || c == '\n' || c == '\t' || c == '\r';
            if (!isHarmless && visible == null) {
                visible = new StringBuilder(text.substring(0, i));
            }
            if (visible != null) {
                visible.append(isHarmless ? String.valueOf(c) : String.format(Locale.ROOT, "\\x%02x", (int) c));
            }
        }
        return visible == null ? text : visible.toString();
    }

    /** A word of a command line as a shell would have to be given it. */
    public static String argument(String word) {
        return word.matches("[\\w./:@%+=,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** A writer of such text. */
    public static Writer writer(Writer out) {
        return new FilterWriter(out) {

            @Override
            public void write(int c) throws IOException {
                out.write(of(String.valueOf((char) c)));
            }

            @Override
            public void write(char[] text, int from, int length) throws IOException {
                out.write(of(new String(text, from, length)));
            }

            @Override
            public void write(String text, int from, int length) throws IOException {
                out.write(of(text.substring(from, from + length)));
            }
        };
    }
}
