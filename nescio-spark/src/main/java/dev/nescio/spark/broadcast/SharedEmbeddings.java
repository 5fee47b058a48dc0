// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.broadcast;

import dev.nescio.detector.EmbeddingDetector;
import dev.nescio.io.detector.EmbeddingDetectorFile;
import java.io.Serializable;
import java.util.UUID;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;

/** A detector of hidden states on every machine, sent in the layout of its file. */
public final class SharedEmbeddings implements Serializable {

    private static final OnePerProcess<EmbeddingDetector> DETECTORS = new OnePerProcess<>(4);

    private final String key = UUID.randomUUID().toString();
    private final Broadcast<byte[]> file;

    private SharedEmbeddings(Broadcast<byte[]> file) {
        this.file = file;
    }

    /** Sends a detector to all machines of a cluster. */
    public static SharedEmbeddings of(EmbeddingDetector detector, JavaSparkContext spark) {
        return new SharedEmbeddings(spark.broadcast(bytes(detector)));
    }

    /** The detector, one for all tasks of a process. */
    public EmbeddingDetector get() {
        return DETECTORS.get(key, () -> read(file.value()));
    }

    /** A detector as it lies in its file. */
    public static byte[] bytes(EmbeddingDetector detector) {
        return ByFile.bytes(
                place ->
                        EmbeddingDetectorFile.write(new EmbeddingDetectorFile.Saved(detector, null, null, null), place),
                "fewer rows to learn from make it smaller");
    }

    /** The inverse of {@link #bytes}; everything is checked. */
    public static EmbeddingDetector read(byte[] bytes) {
        return ByFile.read(bytes, place -> EmbeddingDetectorFile.read(place).detector());
    }
}
