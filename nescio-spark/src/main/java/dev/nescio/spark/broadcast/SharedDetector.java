// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.broadcast;

import dev.nescio.detector.Detector;
import dev.nescio.io.detector.DetectorFile;
import java.io.Serializable;
import java.util.UUID;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;

/** A detector on every machine, sent in the layout of its file. Nothing of it goes through the serialization of Java. */
public final class SharedDetector implements Serializable {

    private static final OnePerProcess<Detector> DETECTORS = new OnePerProcess<>();

    private final String key = UUID.randomUUID().toString();
    private final Broadcast<byte[]> file;

    private SharedDetector(Broadcast<byte[]> file) {
        this.file = file;
    }

    /** Sends a detector to all machines of a cluster, each of which reads it when a task first asks for it. */
    public static SharedDetector of(Detector detector, JavaSparkContext spark) {
        byte[] bytes = ByFile.bytes(place -> DetectorFile.write(detector, place));
        return new SharedDetector(spark.broadcast(bytes));
    }

    /** The detector, one for all tasks of a process. */
    public Detector get() {
        return DETECTORS.get(key, () -> ByFile.read(file.value(), DetectorFile::read));
    }
}
