// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.flag;

import dev.nescio.problem.BadConfiguration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;

/**
 * An amount of memory: {@code 500m}, {@code 4g}.
 *
 * @param bytes of it
 */
public record MemorySize(long bytes) {

    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(?:\\.([0-9]))?([kmgt])i?b?");
    private static final long SMALLEST = 1 << 20;

    /** Reads one. */
    public static final class Converter implements ITypeConverter<MemorySize> {
        @Override
        public MemorySize convert(String text) {
            return parse(text);
        }
    }

    static MemorySize parse(String text) {
        Matcher form = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!form.matches()) {
            throw new BadConfiguration("expected an amount of memory such as 500m or 4g, got '" + text + "'");
        }
        int shift = 10 * (1 + "kmgt".indexOf(form.group(3)));
        long tenths = 10 * Long.parseLong(form.group(1)) + (form.group(2) == null ? 0 : Long.parseLong(form.group(2)));
        double bytes = (double) tenths / 10 * (1L << shift);
        if (bytes < SMALLEST || bytes > Long.MAX_VALUE / 16.0) {
            throw new BadConfiguration("an amount of memory lies between 1m and 100000t, got '" + text + "'");
        }
        return new MemorySize((long) bytes);
    }
}
