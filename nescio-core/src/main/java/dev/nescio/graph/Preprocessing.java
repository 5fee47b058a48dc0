package dev.nescio.graph;

/**
 * What is done to raw features before learning; part of a saved model, so that new data get the same treatment.
 *
 * @param binary whether every positive entry becomes 1 and every other one 0
 * @param rows how each row is scaled afterwards
 */
public record Preprocessing(boolean binary, RowNorm rows) {

    public static final Preprocessing NONE = new Preprocessing(false, RowNorm.NONE);

    /** How a row is scaled. A row of zeros stays as it is. */
    public enum RowNorm {
        NONE,
        /** Absolute values sum to 1. */
        L1,
        /** Squares sum to 1. */
        L2
    }

    public Graph apply(Graph graph) {
        return equals(NONE)
                ? graph
                : graph.with()
                        .features(graph.features().mapRows(this::transform))
                        .build();
    }

    private void transform(float[] values, int from, int to) {
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
