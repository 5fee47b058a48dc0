package dev.nescio.model;

import dev.nescio.problem.BadConfiguration;

/**
 * Something that one architecture lets choose.
 *
 * @param name what the command line calls it
 * @param standard its value where nothing is chosen
 * @param meaning one line for people
 */
public record Choice(String name, String standard, String meaning) {

    public String text(ModelOptions options) {
        return options.choices().getOrDefault(name, standard);
    }

    /** A whole number of at least 1. */
    public int count(ModelOptions options) {
        String text = text(options);
        if (!text.matches("[1-9]\\d{0,5}")) {
            throw new BadConfiguration(name + " must be a whole number from 1 to 999999, got '" + text + "'");
        }
        return Integer.parseInt(text);
    }

    public double number(ModelOptions options) {
        try {
            double value = Double.parseDouble(text(options));
            if (Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new BadConfiguration(name + " must be a number, got '" + text(options) + "'");
    }

    /** One of some words. */
    public String word(ModelOptions options, String... allowed) {
        for (String word : allowed) {
            if (word.equals(text(options))) {
                return word;
            }
        }
        throw new BadConfiguration(
                name + " must be one of " + String.join(", ", allowed) + ", got '" + text(options) + "'");
    }
}
