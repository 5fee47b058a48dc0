// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import dev.nescio.graph.TableSchema;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the columns of tables mean. Null stands for the usual name: {@code id}, {@code label}, {@code split}, {@code source} and
 * {@code target}, and what else they are often called.
 *
 * @param features names or patterns such as {@code f*}; empty for all columns that are nothing else
 * @param ignored columns that are not features
 * @param categorical columns whose numbers are names
 * @param standardise whether numbers are shifted and scaled to mean 0 and deviation 1
 * @param dropDangling whether edges to nodes that are not there are dropped, not refused
 */
public record TableLayout(
        @Nullable String id,
        @Nullable String label,
        @Nullable String split,
        List<String> features,
        List<String> ignored,
        List<String> categorical,
        Missing missing,
        boolean standardise,
        @Nullable String source,
        @Nullable String target,
        boolean directed,
        boolean dropDangling) {

    /** What stands for a number that is missing; a missing category is none of the known ones. */
    public enum Missing {
        /** The mean of the column where it was learned. */
        MEAN,
        /** The number 0, in the units of the table. */
        ZERO,
        /** Nothing: a table with a missing number is refused. */
        REFUSE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Keeps unmodifiable copies of the three lists. */
    public TableLayout {
        features = List.copyOf(features);
        ignored = List.copyOf(ignored);
        categorical = List.copyOf(categorical);
    }

    /**
     * Usual names, every other column a feature, missing numbers filled by the mean, numbers standardised. Edges go both ways,
     * and those to unknown nodes are refused.
     */
    public static TableLayout defaults() {
        return new TableLayout(
                null, null, null, List.of(), List.of(), List.of(), Missing.MEAN, true, null, null, false, false);
    }

    /** The same, to be changed: {@code TableLayout.defaults().with().label("fraud").directed(true).build()}. */
    public Builder with() {
        return new Builder(this);
    }

    /** The layout of the tables that a schema was learned from. */
    TableLayout like(TableSchema schema) {
        return with().id(schema.id())
                .label(label == null ? schema.label() : label)
                .source(schema.source())
                .target(schema.target())
                .directed(schema.directed())
                .build();
    }

    /** Changes some choices of a layout and leaves the others as they are. */
    public static final class Builder {

        private @Nullable String id;
        private @Nullable String label;
        private @Nullable String split;
        private List<String> features;
        private List<String> ignored;
        private List<String> categorical;
        private Missing missing;
        private boolean standardise;
        private @Nullable String source;
        private @Nullable String target;
        private boolean directed;
        private boolean dropDangling;

        private Builder(TableLayout from) {
            this.id = from.id;
            this.label = from.label;
            this.split = from.split;
            this.features = from.features;
            this.ignored = from.ignored;
            this.categorical = from.categorical;
            this.missing = from.missing;
            this.standardise = from.standardise;
            this.source = from.source;
            this.target = from.target;
            this.directed = from.directed;
            this.dropDangling = from.dropDangling;
        }

        /** Column of node ids. */
        public Builder id(@Nullable String value) {
            this.id = value;
            return this;
        }

        /** Column of labels. */
        public Builder label(@Nullable String value) {
            this.label = value;
            return this;
        }

        /** Column of train, validation and test. */
        public Builder split(@Nullable String value) {
            this.split = value;
            return this;
        }

        /** Columns of features, by name or pattern. */
        public Builder features(List<String> value) {
            this.features = value;
            return this;
        }

        /** Columns that are not features. */
        public Builder ignored(List<String> value) {
            this.ignored = value;
            return this;
        }

        /** Columns whose numbers are names. */
        public Builder categorical(List<String> value) {
            this.categorical = value;
            return this;
        }

        /** What stands for a missing number. */
        public Builder missing(Missing value) {
            this.missing = value;
            return this;
        }

        /** Whether numbers are shifted and scaled. */
        public Builder standardise(boolean value) {
            this.standardise = value;
            return this;
        }

        /** Column where edges begin. */
        public Builder source(@Nullable String value) {
            this.source = value;
            return this;
        }

        /** Column where edges end. */
        public Builder target(@Nullable String value) {
            this.target = value;
            return this;
        }

        /** Whether messages go from source to target only. */
        public Builder directed(boolean value) {
            this.directed = value;
            return this;
        }

        /** Whether edges to unknown nodes are dropped, not refused. */
        public Builder dropDangling(boolean value) {
            this.dropDangling = value;
            return this;
        }

        /**
         * The layout with all choices made so far; the builder can be used further.
         *
         * <pre>{@code
         * TableLayout layout = TableLayout.defaults().with()
         *         .id("account")
         *         .ignored(List.of("name", "tmp_*"))
         *         .missing(TableLayout.Missing.ZERO)
         *         .build();
         * }</pre>
         */
        public TableLayout build() {
            return new TableLayout(
                    id,
                    label,
                    split,
                    features,
                    ignored,
                    categorical,
                    missing,
                    standardise,
                    source,
                    target,
                    directed,
                    dropDangling);
        }
    }
}
