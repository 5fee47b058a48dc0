// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph;

import dev.nescio.matrix.Matrix;
import dev.nescio.option.Kind;
import dev.nescio.option.Option;
import dev.nescio.option.OptionGroup;
import dev.nescio.option.Options;

/** What is done to raw features before learning; part of a saved model, so that new data get the same treatment. */
public record Preprocessing(Options values) {

    /** Whether every positive feature becomes 1 and every other one 0, before rows are scaled; off by default. */
    public static final Option<Boolean> BINARY =
            Option.flag("binary", "Turn every positive feature into 1 and every other one into 0.");
    /** How each row of features is scaled: {@code none} (the default), {@code l1} or {@code l2}. */
    public static final Option<RowNorm> NORMALISE = Option.of(
            "normalise",
            Kind.constant(RowNorm.class),
            RowNorm.NONE,
            "How each row of features is scaled: none, l1 or l2.");

    /** All options of the preprocessing: {@link #BINARY} and {@link #NORMALISE}. */
    public static final OptionGroup GROUP = OptionGroup.of("the preprocessing", BINARY, NORMALISE);

    /** Features stay as they are; the default. */
    public static final Preprocessing NONE = new Preprocessing(GROUP.defaults());

    /** Both choices at once; features are made binary first, then scaled row by row. */
    public static Preprocessing of(boolean binary, RowNorm rows) {
        return NONE.with(BINARY, binary).with(NORMALISE, rows);
    }

    /** Whether features become 0 or 1 before rows are scaled; see {@link #BINARY}. */
    public boolean binary() {
        return values.get(BINARY);
    }

    /** How rows are scaled; see {@link #NORMALISE}. */
    public RowNorm rows() {
        return values.get(NORMALISE);
    }

    /** The same with another value of {@link #BINARY} or {@link #NORMALISE}; refuses other options. */
    public <T> Preprocessing with(Option<T> option, T value) {
        return new Preprocessing(values.with(option, value));
    }

    /** How a row is scaled. A row of zeros stays as it is. */
    public enum RowNorm {
        /** Rows stay as they are. */
        NONE,
        /** Absolute values sum to 1. */
        L1,
        /** Squares sum to 1. */
        L2
    }

    /**
     * The graph with prepared features, from a graph with raw ones; the same object where nothing is to be done. Sparse features
     * stay sparse.
     */
    public Graph apply(Graph graph) {
        return isNone() ? graph : graph.with().features(apply(graph.features())).build();
    }

    /** Prepared rows from raw ones; the same object where nothing is to be done. */
    public Matrix apply(Matrix features) {
        boolean binary = binary();
        RowNorm rows = rows();
        return isNone() ? features : features.mapRows((row, from, to) -> transform(row, from, to, binary, rows));
    }

    private boolean isNone() {
        return !binary() && rows() == RowNorm.NONE;
    }

    private static void transform(float[] values, int from, int to, boolean binary, RowNorm rows) {
        double norm = 0;
        for (int i = from; i < to; i++) {
            if (binary) {
                values[i] = values[i] > 0 ? 1 : 0;
            }
            norm += rows == RowNorm.L2 ? (double) values[i] * values[i] : Math.abs(values[i]);
        }
        norm = rows == RowNorm.L2 ? Math.sqrt(norm) : norm;
        if (rows != RowNorm.NONE && norm > 0) {
            for (int i = from; i < to; i++) {
                values[i] /= (float) norm;
            }
        }
    }
}
