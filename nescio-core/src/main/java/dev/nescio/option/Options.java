// SPDX-License-Identifier: Apache-2.0
package dev.nescio.option;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A value for every option of a group. Immutable. */
public final class Options {

    private final OptionGroup group;
    private final Map<String, Object> values;

    Options(OptionGroup group, Map<String, Object> values) {
        this.group = group;
        this.values = values;
    }

    /** The options that these are values of. */
    public OptionGroup group() {
        return group;
    }

    /** Whether the group has an option of this name. */
    public boolean has(Option<?> option) {
        return values.containsKey(option.name());
    }

    /** The value of an option. Throws {@link NullPointerException} where the group does not have it; see {@link #has}. */
    @SuppressWarnings("unchecked") // Values get in through with and parse alone, which know their type.
    public <T> T get(Option<T> option) {
        return (T) Objects.requireNonNull(
                values.get(option.name()), () -> group.owner() + " has no option '" + option + "'");
    }

    /** The same with another value; refuses one that is outside the limits. */
    public <T> Options with(Option<T> option, T value) {
        return withText(option.name(), option.print(value));
    }

    /** The same with another value, by name and text. */
    public Options withText(String name, String text) {
        Option<?> option = group.named(name);
        Map<String, Object> changed = new LinkedHashMap<>(values);
        changed.put(name, option.parse(text));
        return new Options(group, changed);
    }

    /** Every value as text, by name. */
    public Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        group.options().forEach(option -> texts.put(option.name(), text(option)));
        return texts;
    }

    /** Values that differ from the defaults, as text, by name. */
    public Map<String, String> chosen() {
        Map<String, String> chosen = new TreeMap<>();
        group.options().stream()
                .filter(option -> !Objects.equals(values.get(option.name()), option.standard()))
                .forEach(option -> chosen.put(option.name(), text(option)));
        return chosen;
    }

    /**
     * What identifies these values in stored work, by name: only what differs from the default that an option had at first.
     * A new option with a default changes no key.
     */
    public Map<String, String> stored() {
        Map<String, String> stored = new TreeMap<>();
        group.options().stream()
                .filter(option -> !Objects.equals(values.get(option.name()), option.whereAbsent()))
                .forEach(option -> stored.put(option.name(), text(option)));
        return stored;
    }

    private <T> String text(Option<T> option) {
        return option.print(get(option));
    }

    /** {@code k=10,states=0|-1}: values that differ from the defaults. */
    @Override
    public String toString() {
        return join(chosen());
    }

    static String join(Map<String, String> texts) {
        return texts.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(","));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Options options && options.texts().equals(texts());
    }

    @Override
    public int hashCode() {
        return texts().hashCode();
    }
}
