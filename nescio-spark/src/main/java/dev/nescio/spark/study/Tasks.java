// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.study;

import dev.nescio.spark.broadcast.OneCore;
import java.io.Serializable;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/** Pieces of work with names, each a task of one core, whose results the driver takes as they arrive. */
final class Tasks {

    private Tasks() {}

    /** What a task does on some machine. */
    @FunctionalInterface
    interface Body<R> extends Serializable {
        R run(String name);
    }

    /**
     * Runs all of them; where one fails, or the driver cannot take what it found, the others are ended.
     *
     * @param found is told what a task has found, on the driver, one call at a time; nothing after this has returned
     */
    static <R> void run(
            List<String> names, Body<R> body, Class<R> type, BiConsumer<String, R> found, JavaSparkContext spark) {
        if (names.isEmpty()) {
            return;
        }
        Found<R> handler = new Found<>(names, found);
        String tag = "nescio-" + UUID.randomUUID();
        spark.sc().addJobTag(tag);
        try {
            spark.sc()
                    .runJob(
                            spark.parallelize(names, names.size()).rdd(),
                            new Task<>(body),
                            CollectionConverters.asScala(IntStream.range(0, names.size())
                                            .<Object>mapToObj(i -> i)
                                            .toList())
                                    .toSeq(),
                            handler,
                            ClassTag$.MODULE$.<R>apply(type));
        } finally {
            handler.end();
            spark.sc().removeJobTag(tag);
            spark.sc().cancelJobsWithTag(tag);
        }
    }

    private static final class Task<R> extends AbstractFunction2<TaskContext, Iterator<String>, R>
            implements Serializable {

        private final Body<R> body;

        Task(Body<R> body) {
            this.body = body;
        }

        @Override
        public R apply(TaskContext context, Iterator<String> names) {
            return OneCore.run(() -> body.run(names.next()));
        }
    }

    private static final class Found<R> extends AbstractFunction2<Object, R, BoxedUnit> {

        private final List<String> names;
        private final BiConsumer<String, R> found;
        private boolean isOver;

        Found(List<String> names, BiConsumer<String, R> found) {
            this.names = names;
            this.found = found;
        }

        @Override
        public synchronized BoxedUnit apply(Object task, R result) {
            if (!isOver) {
                // Whoever fails is told nothing more.
                isOver = true;
                found.accept(names.get((Integer) task), result);
                isOver = false;
            }
            return BoxedUnit.UNIT;
        }

        /** Spark goes on with the tasks of a job that has failed: what they are written to may belong to somebody else by then. */
        synchronized void end() {
            isOver = true;
        }
    }
}
