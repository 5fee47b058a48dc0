// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import java.util.Comparator;

/**
 * The order of nodes by their ids, in which numbers count as numbers: {@code node 2} before {@code node 10}. That is how most tables are
 * sorted, so that sums over neighbours are taken in the same order as on one machine, which numbers nodes as they come.
 */
public enum IdOrder implements Comparator<String> {
    /** The only one. */
    BY_NUMBER;

    @Override
    public int compare(String one, String other) {
        int i = 0;
        int j = 0;
        while (i < one.length() && j < other.length()) {
            char a = one.charAt(i);
            char b = other.charAt(j);
            if (!isDigit(a) || !isDigit(b)) {
                if (a != b) {
                    return Character.compare(a, b);
                }
                i++;
                j++;
                continue;
            }
            int endOne = endOfNumber(one, i);
            int endOther = endOfNumber(other, j);
            int order = compareNumbers(one, i, endOne, other, j, endOther);
            if (order != 0) {
                return order;
            }
            i = endOne;
            j = endOther;
        }
        int order = Integer.compare(one.length() - i, other.length() - j);
        // Zeros in front do not change a number, but ids are the same only where all their letters are.
        return order != 0 ? order : one.compareTo(other);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static int endOfNumber(String text, int begin) {
        int end = begin;
        while (end < text.length() && isDigit(text.charAt(end))) {
            end++;
        }
        return end;
    }

    /** Of any length. */
    private static int compareNumbers(String one, int i, int endOne, String other, int j, int endOther) {
        int a = withoutZeros(one, i, endOne);
        int b = withoutZeros(other, j, endOther);
        int order = Integer.compare(endOne - a, endOther - b);
        while (order == 0 && a < endOne) {
            order = Character.compare(one.charAt(a++), other.charAt(b++));
        }
        return order;
    }

    private static int withoutZeros(String text, int begin, int end) {
        int first = begin;
        while (first < end && text.charAt(first) == '0') {
            first++;
        }
        return first;
    }
}
