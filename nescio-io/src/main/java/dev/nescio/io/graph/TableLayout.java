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
        ZERO,
        REFUSE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public TableLayout {
        features = List.copyOf(features);
        ignored = List.copyOf(ignored);
        categorical = List.copyOf(categorical);
    }

    public static TableLayout defaults() {
        return new TableLayout(
                null, null, null, List.of(), List.of(), List.of(), Missing.MEAN, true, null, null, false, false);
    }

    /** The same with this column of node ids. */
    public TableLayout withId(String value) {
        return new TableLayout(
                value,
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

    /** The same with this column of labels. */
    public TableLayout withLabel(String value) {
        return new TableLayout(
                id,
                value,
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

    /** The same with this column of train, validation and test. */
    public TableLayout withSplit(String value) {
        return new TableLayout(
                id,
                label,
                value,
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

    /** The same with these columns of features, by name or pattern. */
    public TableLayout withFeatures(List<String> value) {
        return new TableLayout(
                id,
                label,
                split,
                value,
                ignored,
                categorical,
                missing,
                standardise,
                source,
                target,
                directed,
                dropDangling);
    }

    /** The same without these columns. */
    public TableLayout withIgnored(List<String> value) {
        return new TableLayout(
                id,
                label,
                split,
                features,
                value,
                categorical,
                missing,
                standardise,
                source,
                target,
                directed,
                dropDangling);
    }

    /** The same where the numbers of these columns are names. */
    public TableLayout withCategorical(List<String> value) {
        return new TableLayout(
                id,
                label,
                split,
                features,
                ignored,
                value,
                missing,
                standardise,
                source,
                target,
                directed,
                dropDangling);
    }

    /** The same with this rule for missing numbers. */
    public TableLayout withMissing(Missing value) {
        return new TableLayout(
                id,
                label,
                split,
                features,
                ignored,
                categorical,
                value,
                standardise,
                source,
                target,
                directed,
                dropDangling);
    }

    /** The same with numbers scaled or as they are. */
    public TableLayout withStandardise(boolean value) {
        return new TableLayout(
                id,
                label,
                split,
                features,
                ignored,
                categorical,
                missing,
                value,
                source,
                target,
                directed,
                dropDangling);
    }

    /** The same where edges begin in this column. */
    public TableLayout withSource(String value) {
        return new TableLayout(
                id,
                label,
                split,
                features,
                ignored,
                categorical,
                missing,
                standardise,
                value,
                target,
                directed,
                dropDangling);
    }

    /** The same where edges end in this column. */
    public TableLayout withTarget(String value) {
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
                value,
                directed,
                dropDangling);
    }

    /** The same with messages from source to target only, or both ways. */
    public TableLayout withDirected(boolean value) {
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
                value,
                dropDangling);
    }

    /** The same where edges to unknown nodes are dropped, or refused. */
    public TableLayout withDropDangling(boolean value) {
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
                value);
    }

    /** The layout of the tables that a schema was learned from. */
    TableLayout like(TableSchema schema) {
        return new TableLayout(
                schema.id(),
                label == null ? schema.label() : label,
                split,
                features,
                ignored,
                categorical,
                missing,
                standardise,
                schema.source(),
                schema.target(),
                schema.directed(),
                dropDangling);
    }
}
