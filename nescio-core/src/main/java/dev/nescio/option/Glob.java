// SPDX-License-Identifier: Apache-2.0
package dev.nescio.option;

/** Patterns with a star for any text and a question mark for any letter. The time is that of text times pattern, whatever the pattern. */
public final class Glob {

    private Glob() {}

    /** Whether a pattern fits a whole text; upper and lower case differ. */
    public static boolean matches(String pattern, String text) {
        int p = 0;
        int t = 0;
        int star = -1;
        int behind = 0;
        while (t < text.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                behind = t;
            } else if (p < pattern.length() && (pattern.charAt(p) == '?' || pattern.charAt(p) == text.charAt(t))) {
                p++;
                t++;
            } else if (star >= 0) {
                // The last star takes one letter more; earlier ones need not be asked again.
                p = star + 1;
                t = ++behind;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }
}
