// SPDX-License-Identifier: Apache-2.0
package dev.nescio.option;

import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.NescioException;

/**
 * Something that can be chosen. Declared once, as a constant beside the code that uses it:
 *
 * <pre>{@code
 * public static final Option<Integer> K = Option.of("k", Kind.count(), 5, "Number of nearest training nodes.");
 * }</pre>
 *
 * @param <T> type of its values
 */
public final class Option<T> {

    private final String name;
    private final Kind<T> kind;
    private final T first;
    private final T standard;
    private final String help;

    private Option(String name, Kind<T> kind, T first, T standard, String help) {
        this.name = name;
        this.kind = kind;
        this.first = first;
        this.standard = standard;
        this.help = help;
        if (!name.matches("[a-z][a-z0-9]*(-[a-z0-9]+)*")) {
            throw new IllegalArgumentException("an option cannot be called '" + name + "'");
        }
    }

    /**
     * @param name lower case, words joined by hyphens; {@code --name} on the command line
     * @param standard the default
     * @param help one sentence for people
     */
    public static <T> Option<T> of(String name, Kind<T> kind, T standard, String help) {
        return new Option<>(name, kind, standard, standard, help);
    }

    /** Off by default. */
    public static Option<Boolean> flag(String name, String help) {
        return of(name, Kind.flag(), false, help);
    }

    /**
     * The same option with another default from now on. Files and keys that do not mention the option were written under
     * the first default and go on meaning that one.
     */
    public Option<T> withDefault(T newStandard) {
        return new Option<>(name, kind, first, newStandard, help);
    }

    /** Its name, lower case with hyphens: {@code learning-rate}. */
    public String name() {
        return name;
    }

    /** What its values look like and how they are read and written. */
    public Kind<T> kind() {
        return kind;
    }

    /** The default. */
    public T standard() {
        return standard;
    }

    /** What stored work means that does not mention this option: the default that it had at first. */
    T whereAbsent() {
        return first;
    }

    /** What it is for, in one sentence for people. */
    public String help() {
        return help;
    }

    /** Whether it is switched on by its name alone, without a value. */
    public boolean isFlag() {
        return kind.label().isEmpty();
    }

    /** Refuses what is not one of its values. */
    public T parse(String text) {
        try {
            return kind.parse().apply(text.strip());
        } catch (NescioException e) {
            throw new BadConfiguration(name + ": " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new BadConfiguration(name + " must be " + kind.expected() + ", got '" + text + "'", e);
        }
    }

    /** A value as text, which {@link #parse} reads back. */
    public String print(T value) {
        return kind.print().apply(value);
    }

    @Override
    public String toString() {
        return name;
    }
}
