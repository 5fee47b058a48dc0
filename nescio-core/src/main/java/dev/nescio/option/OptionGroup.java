// SPDX-License-Identifier: Apache-2.0
package dev.nescio.option;

import dev.nescio.problem.BadConfiguration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Options that belong together, each with a name of its own.
 *
 * @param owner whose options they are, for messages: {@code jlde}
 */
public record OptionGroup(String owner, List<Option<?>> options) {

    /** Copies the list; throws {@link IllegalArgumentException} where two options have one name. */
    public OptionGroup {
        options = List.copyOf(options);
        long names = options.stream().map(Option::name).distinct().count();
        if (names < options.size()) {
            throw new IllegalArgumentException("two options of " + owner + " have the same name: " + options);
        }
    }

    /** A group of these options, in this order; none is possible, too. */
    public static OptionGroup of(String owner, Option<?>... options) {
        return new OptionGroup(owner, List.of(options));
    }

    /** The options of this group and further ones, of another owner. */
    public OptionGroup and(String newOwner, Option<?>... more) {
        return new OptionGroup(
                newOwner, Stream.concat(options.stream(), Stream.of(more)).toList());
    }

    /** The names of all options, in their order. */
    public List<String> names() {
        return options.stream().map(Option::name).toList();
    }

    /** The option of this name; empty where the group has none. */
    public Optional<Option<?>> find(String name) {
        return options.stream().filter(option -> option.name().equals(name)).findFirst();
    }

    /** The option of this name; refuses others. */
    public Option<?> named(String name) {
        return find(name)
                .orElseThrow(() ->
                        new BadConfiguration(owner + " has no option '" + name + "'; " + Nearest.hint(name, names())));
    }

    /** A default for every option. */
    public Options defaults() {
        Map<String, Object> values = new LinkedHashMap<>();
        options.forEach(option -> values.put(option.name(), option.standard()));
        return new Options(this, values);
    }

    /** What somebody chose by name, defaults for the rest. */
    public Options parse(Map<String, String> texts) {
        Options values = defaults();
        for (Map.Entry<String, String> text : texts.entrySet()) {
            values = values.withText(text.getKey(), text.getValue());
        }
        return values;
    }

    /** What was stored: options that are not mentioned have the default that they had at first. */
    public Options restore(Map<String, String> texts) {
        Map<String, Object> values = new LinkedHashMap<>();
        options.forEach(option -> values.put(option.name(), option.whereAbsent()));
        Options restored = new Options(this, values);
        for (Map.Entry<String, String> text : texts.entrySet()) {
            restored = restored.withText(text.getKey(), text.getValue());
        }
        return restored;
    }

    /** All options of several groups, each once. */
    public static OptionGroup union(String owner, List<OptionGroup> groups) {
        Map<String, Option<?>> all = new LinkedHashMap<>();
        groups.forEach(group -> group.options.forEach(option -> all.putIfAbsent(option.name(), option)));
        return new OptionGroup(owner, new ArrayList<>(all.values()));
    }
}
