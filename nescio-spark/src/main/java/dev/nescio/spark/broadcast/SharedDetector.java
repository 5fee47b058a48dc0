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

    private static final OnePerProcess<Detector> DETECTORS = new OnePerProcess<>(4);
    /** The next part takes the place of the last one: that is what parts are for. */
    private static final OnePerProcess<Detector> PARTS = new OnePerProcess<>(1);

    private final String key = UUID.randomUUID().toString();
    private final Broadcast<byte[]> file;
    private final boolean isPart;

    private SharedDetector(Detector detector, boolean isPart, JavaSparkContext spark) {
        this.file = spark.broadcast(ByFile.bytes(
                place -> DetectorFile.write(detector, place),
                "more shards of its training rows are smaller (--shards)"));
        this.isPart = isPart;
    }

    /** Sends a detector to all machines of a cluster, each of which reads it when a task first asks for it. */
    public static SharedDetector of(Detector detector, JavaSparkContext spark) {
        return new SharedDetector(detector, false, spark);
    }

    /** The same of a part of a detector, of which a machine holds one at a time. */
    public static SharedDetector part(Detector detector, JavaSparkContext spark) {
        return new SharedDetector(detector, true, spark);
    }

    /** Takes it from all machines; those that ask again get it again. */
    public void forget() {
        file.unpersist(false);
    }

    /** The detector, one for all tasks of a process. */
    public Detector get() {
        return (isPart ? PARTS : DETECTORS).get(key, () -> ByFile.read(file.value(), DetectorFile::read));
    }
}
