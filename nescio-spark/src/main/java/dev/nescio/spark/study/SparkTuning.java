// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.study;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import dev.nescio.progress.Progress;
import dev.nescio.spark.broadcast.OnePerProcess;
import dev.nescio.study.Tuning;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.UUID;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Tunes on a cluster: every training is a task of one core, and the driver alone writes to the journal, as soon as a training is done. A
 * machine that is lost costs the trainings that were under way there; a driver that is killed goes on where it stopped. The journal is that
 * of the local command, but for the order of its lines.
 *
 * <pre>{@code
 * SparkTuning tuning = new SparkTuning(journal -> {
 *     Graph graph = GraphLocations.read(GraphLocation.Request.of("/shared/graph.npk"));
 *     return new Tuning(graph, List.of(SplitRules.first(graph)), options(), grid(), journal);
 * });
 * Tuning.Result result = tuning.run(Path.of("fagcn.trials"), sparkContext, Progress.NONE).result();
 * }</pre>
 *
 * @param recipe runs on the driver, and once in every process of the cluster
 */
public record SparkTuning(Recipe recipe) implements Serializable {

    private static final OnePerProcess<Tuning> TUNINGS = new OnePerProcess<>(1);

    /** Reads a graph and says what is to be tried: the same wherever it runs. */
    @FunctionalInterface
    public interface Recipe extends Serializable {

        /** @param journal of the driver; on other machines a file that is never there */
        Tuning tuning(Path journal);
    }

    /** Does what is left of the tuning; refuses graphs and options that are not the same on every machine. */
    public Tuning run(Path journal, JavaSparkContext spark, Progress progress) {
        Tuning tuning = recipe.tuning(journal);
        run(tuning, spark, progress);
        return tuning;
    }

    /** @param tuning of the recipe, with the journal to write to */
    public void run(Tuning tuning, JavaSparkContext spark, Progress progress) {
        String key = UUID.randomUUID().toString();
        Recipe same = recipe;
        tuning.run(
                (keys, found) -> Tasks.run(
                        keys,
                        trial -> new Told(there(key, same).runOne(trial)),
                        Told.class,
                        (trial, told) -> found.accept(trial, told.outcome),
                        spark),
                progress);
    }

    private static Tuning there(String key, Recipe recipe) {
        Path nowhere = Path.of(System.getProperty("java.io.tmpdir"), "nescio-" + key + ".trials");
        return TUNINGS.get(key, () -> recipe.tuning(nowhere));
    }

    /** On its way to the driver, whatever serializer a user has chosen. */
    @DefaultSerializer(JavaSerializer.class)
    private record Told(Tuning.Outcome outcome) implements Serializable {}
}
