// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A node on its way to its block.
 *
 * @param values of all features
 * @param from where those of this node begin
 * @param width how many there are
 */
public record Node(String id, float[] values, int from, int width) {

    /** Rows with few numbers are written as such. */
    void write(DataOutputStream to) throws IOException {
        Chunks.writeText(id, to);
        int present = 0;
        for (int i = from; i < from + width; i++) {
            present += values[i] == 0 ? 0 : 1;
        }
        if (2 * present >= width) {
            to.writeInt(-1);
            ByteBuffer bytes = ByteBuffer.allocate(width * Float.BYTES);
            bytes.asFloatBuffer().put(values, from, width);
            to.write(bytes.array());
            return;
        }
        to.writeInt(present);
        for (int i = 0; i < width; i++) {
            if (values[from + i] != 0) {
                to.writeInt(i);
                to.writeFloat(values[from + i]);
            }
        }
    }
}
