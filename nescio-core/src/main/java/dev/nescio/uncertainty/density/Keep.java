// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.density;

import dev.nescio.problem.BadConfiguration;

/** How many principal components of a state are kept. */
public sealed interface Keep {

    /** As few as explain at least this share of the variance: the smallest k whose cumulative share reaches it. */
    record Share(double share) implements Keep {
        public Share {
            if (!(share > 0 && share <= 1)) {
                throw new BadConfiguration("the share of variance to keep must be above 0 and at most 1, got " + share);
            }
        }
    }

    /** This many, or all where a state has fewer columns. */
    record Count(int count) implements Keep {
        public Count {
            if (count < 1) {
                throw new BadConfiguration("at least 1 principal component must be kept, got " + count);
            }
        }
    }

    /** No principal components: the state as it is. */
    record Everything() implements Keep {}

    /** 95 % of the variance of states with more than {@value #WIDE} columns; others as they are. */
    record WhereWide() implements Keep {

        private static final int WIDE = 128;

        private static final Keep MOST = new Share(0.95);

        @Override
        public Keep of(int columns) {
            return columns > WIDE ? MOST : new Everything();
        }
    }

    /** What that means for a state with so many columns. */
    default Keep of(int columns) {
        return this;
    }

    /** {@code 0.95} is a share, {@code 16} a count, {@code none} everything, {@code auto} what the width of a state asks for. */
    static Keep parse(String text) {
        try {
            if (text.equals("none")) {
                return new Everything();
            }
            if (text.equals("auto")) {
                return new WhereWide();
            }
            return text.contains(".") ? new Share(Double.parseDouble(text)) : new Count(Integer.parseInt(text));
        } catch (NumberFormatException e) {
            throw new BadConfiguration(
                    "expected a share of variance (0.95), a number of components (16), none or auto, got '" + text
                            + "'",
                    e);
        }
    }

    /** The inverse of {@link #parse}. */
    default String text() {
        if (this instanceof Share share) {
            return Double.toString(share.share);
        }
        if (this instanceof Count count) {
            return Integer.toString(count.count);
        }
        return this instanceof WhereWide ? "auto" : "none";
    }
}
