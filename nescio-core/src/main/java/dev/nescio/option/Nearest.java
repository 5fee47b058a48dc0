// SPDX-License-Identifier: Apache-2.0
package dev.nescio.option;

import java.util.Collection;
import java.util.Comparator;
import java.util.stream.Collectors;

/** Finds what somebody probably meant. */
public final class Nearest {

    private static final int MANY = 12;
    private static final int LONG = 60;

    private Nearest() {}

    /** The end of a message about an unknown name: the nearest known one, and all of them. */
    public static String hint(String wanted, Collection<String> known) {
        if (known.isEmpty()) {
            return "there are none";
        }
        return "did you mean '" + to(wanted, known) + "'? There are " + String.join(", ", known);
    }

    /** The known name with the fewest letters to change. */
    public static String to(String wanted, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(name -> distance(wanted, name)))
                .orElseThrow();
    }

    /** The first of some names, so that a message stays a sentence. */
    public static String some(Collection<String> names) {
        String first =
                names.stream().sorted().limit(MANY).map(Nearest::shortened).collect(Collectors.joining(", "));
        return names.size() > MANY ? first + " and " + (names.size() - MANY) + " more" : first;
    }

    /** A name or value of somebody's file in one line, and not more of it than a sentence can hold. */
    public static String shortened(String text) {
        String line = text.strip().replaceAll("\\s*\\R\\s*", " ");
        return line.length() <= LONG ? line : line.substring(0, LONG) + "…";
    }

    /** Whether a name is another one but for a single letter. */
    public static boolean isNearly(String name, String other) {
        return distance(name, other) == 1;
    }

    /** Letters to insert, delete or replace. */
    static int distance(String a, String b) {
        int[] before = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            before[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] now = new int[b.length() + 1];
            now[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = before[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                now[j] = Math.min(replaced, 1 + Math.min(before[j], now[j - 1]));
            }
            before = now;
        }
        return before[b.length()];
    }
}
