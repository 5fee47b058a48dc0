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

    /** {@code 0.95} is a share, {@code 16} a count, {@code none} everything. */
    static Keep parse(String text) {
        try {
            if (text.equals("none")) {
                return new Everything();
            }
            return text.contains(".") ? new Share(Double.parseDouble(text)) : new Count(Integer.parseInt(text));
        } catch (NumberFormatException e) {
            throw new BadConfiguration(
                    "expected a share of variance (0.95), a number of components (16) or none, got '" + text + "'", e);
        }
    }

    /** The inverse of {@link #parse}. */
    default String text() {
        if (this instanceof Share share) {
            return Double.toString(share.share);
        }
        return this instanceof Count count ? Integer.toString(count.count) : "none";
    }
}
