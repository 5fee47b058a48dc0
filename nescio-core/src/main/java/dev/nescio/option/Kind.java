// SPDX-License-Identifier: Apache-2.0
package dev.nescio.option;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What the values of an option look like.
 *
 * @param label what stands for a value in the help: {@code N}
 * @param expected what to tell somebody whose value is wrong: {@code a whole number of at least 1}
 * @param parse text to value; throws {@link IllegalArgumentException} where the text is not as expected
 * @param print value to text; {@code parse} is its inverse
 * @param words all values where there are few, for completion
 */
public record Kind<T>(
        String label, String expected, Function<String, T> parse, Function<T, String> print, List<String> words) {

    /** Values that cannot be listed. */
    public Kind(String label, String expected, Function<String, T> parse, Function<T, String> print) {
        this(label, expected, parse, print, List.of());
    }

    /** Separates the entries of a list within one value. */
    static final String SEPARATOR = "|";

    /** Whole numbers of at least 1. */
    public static Kind<Integer> count() {
        return new Kind<>(
                "N",
                "a whole number of at least 1",
                text -> require(Integer.parseInt(text), value -> value >= 1),
                String::valueOf);
    }

    /** With a limit beyond which there is no sense in it, only a program that never ends. */
    public static Kind<Integer> count(int most) {
        return new Kind<>(
                "N",
                "a whole number from 1 to " + most,
                text -> require(Integer.parseInt(text), value -> value >= 1 && value <= most),
                String::valueOf);
    }

    /** Whole numbers of 64 bits, negative ones too. */
    public static Kind<Long> whole() {
        return new Kind<>("N", "a whole number", Long::parseLong, String::valueOf);
    }

    /** All finite numbers. */
    public static Kind<Double> number() {
        return number("a number", value -> true);
    }

    /** A number with a limit, finite also with the 32 bits that networks compute with. */
    public static Kind<Double> number(String expected, Function<Double, Boolean> allowed) {
        return new Kind<>(
                "X",
                expected,
                text -> require(
                        Double.parseDouble(text), value -> Float.isFinite(value.floatValue()) && allowed.apply(value)),
                String::valueOf);
    }

    /** {@code true} or {@code false}, in lower case; an option of this kind takes no value on the command line. */
    public static Kind<Boolean> flag() {
        return new Kind<>(
                "",
                "true or false",
                text -> switch (text) {
                    case "true" -> true;
                    case "false" -> false;
                    default -> throw new IllegalArgumentException(text);
                },
                String::valueOf);
    }

    /** One of some words. */
    public static Kind<String> word(String... words) {
        return new Kind<>(
                "NAME",
                "one of " + String.join(", ", words),
                text -> require(text, Arrays.asList(words)::contains),
                Function.identity(),
                List.of(words));
    }

    /** A constant of an enum, in lower case. */
    public static <E extends Enum<E>> Kind<E> constant(Class<E> type) {
        List<String> words = Arrays.stream(type.getEnumConstants())
                .map(value -> value.name().toLowerCase(Locale.ROOT))
                .toList();
        return new Kind<>(
                "NAME",
                "one of " + String.join(", ", words),
                text -> Enum.valueOf(type, text.toUpperCase(Locale.ROOT)),
                value -> value.name().toLowerCase(Locale.ROOT),
                words);
    }

    /** Several values; in a text they stand between bars or commas. */
    public static <T> Kind<List<T>> list(Kind<T> entry) {
        return new Kind<>(
                entry.label + ",...",
                "a list of values, each " + entry.expected,
                text -> text.isBlank()
                        ? List.of()
                        : Arrays.stream(text.split("[|,]"))
                                .map(part -> entry.parse.apply(part.strip()))
                                .toList(),
                values -> values.stream().map(entry.print).collect(Collectors.joining(SEPARATOR)));
    }

    private static <T> T require(T value, Function<T, Boolean> allowed) {
        if (!allowed.apply(value)) {
            throw new IllegalArgumentException(String.valueOf(value));
        }
        return value;
    }
}
