// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.output;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;

/** Text for a terminal: names in somebody's data may hold control characters, which move the cursor or change the title of a window. */
public final class Visible {

    private Visible() {}

    /**
     * Whether stdout is a terminal, where somebody looks at data; the launcher knows, or says {@code auto} to have Java find out. Elsewhere
     * data stay as they are.
     */
    @SuppressWarnings("SystemConsoleNull") // The launcher that says auto asks Java for the console that may be missing.
    public static boolean isWanted() {
        String told = System.getProperty("nescio.terminal.out", "false");
        return told.equals("auto") ? System.console() != null : Boolean.parseBoolean(told);
    }

    /**
     * The same text with control characters spelt out, but for line breaks and tabs. A carriage return that ends no line would let
     * what follows cover what was there.
     */
    public static String of(String text) {
        StringBuilder visible = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean endsLine = c == '\n' || (c == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n');
            boolean isHarmless = !Character.isISOControl(c) || endsLine || c == '\t';
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
