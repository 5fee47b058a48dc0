// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.density;

/** Walks over rows by blocks. */
final class Blocks {

    /** Rows of a block where only the columns matter. */
    static final int ROWS = 4096;

    private Blocks() {}

    @FunctionalInterface
    interface Body {
        void run(int from, int count);
    }

    static void forEach(int rows, int blockRows, Body body) {
        for (int from = 0; from < rows; from += blockRows) {
            body.run(from, Math.min(blockRows, rows - from));
        }
    }
}
