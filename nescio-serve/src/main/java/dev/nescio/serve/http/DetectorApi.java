// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import dev.nescio.detector.Detector;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.io.file.WorkFolder;
import dev.nescio.problem.BadInput;
import dev.nescio.problem.NescioException;
import dev.nescio.serve.state.Change;
import dev.nescio.serve.state.Detectors;
import dev.nescio.serve.state.Refused;
import dev.nescio.serve.state.Store;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Another detector, without a restart. One at a time: each is large, and scores every node. */
final class DetectorApi {

    /** All nodes are scored before the answer, which takes longer than other changes. */
    private static final Duration LONGEST = Duration.ofMinutes(30);

    private final Live live;
    private final AtomicBoolean isBusy = new AtomicBoolean();

    DetectorApi(Live live) {
        this.live = live;
    }

    void post(Context context) {
        Store store = live.store();
        String name = new Query(context, Set.of("name")).text("name");
        if (name != null) {
            Json.name(name, "name", live.limits().text());
        }
        String key = Repeatable.key(context, live.limits());
        if (!isBusy.compareAndSet(false, true)) {
            throw new Refused(429, "another detector is being loaded; try again when it is there");
        }
        CompletableFuture<Map<String, @Nullable Object>> done;
        try {
            done = begun(context, store, name, key);
        } catch (RuntimeException | Error e) {
            isBusy.set(false);
            throw e;
        }
        CompletableFuture<Map<String, @Nullable Object>> free =
                done.whenComplete((answer, problem) -> isBusy.set(false));
        Json.answer(context, Live.await(free, LONGEST));
    }

    private CompletableFuture<Map<String, @Nullable Object>> begun(
            Context context, Store store, @Nullable String name, @Nullable String key) {
        Detector detector = read(context);
        int wanted = store.state().overlay().base().features().columns();
        int features = detector.model().shape().features();
        if (Objects.equals(detector.schema(), store.state().loaded().detector().schema()) && features != wanted) {
            throw new Refused(
                    422, "the detector was trained on " + features + " features per node, but the graph has " + wanted);
        }
        Detectors.Saved saved;
        try {
            saved = store.detectors().save(detector);
        } catch (UncheckedIOException | BadInput e) {
            throw new Refused(507, "the store takes no more: the detector was not taken, the old one stays");
        }
        try {
            return store.submit(Repeatable.entry(key, new Change.Load(name, saved.name(), false)))
                    .whenComplete((answer, problem) -> {
                        if (problem != null) {
                            store.detectors().takeBack(saved);
                        }
                    });
        } catch (Refused e) {
            store.detectors().takeBack(saved);
            throw e;
        }
    }

    private Detector read(Context context) {
        try (WorkFolder work = WorkFolder.temporary("upload")) {
            Path place = work.path().resolve("detector.nescio");
            Bodies.read(context, live.limits().detectorBytes(), live.limits(), place);
            return read(place);
        } catch (IOException e) {
            throw new Refused(507, "there is no room to look at the detector; the old one stays");
        }
    }

    /** Answers tell nothing about the folders of the machine. */
    private static Detector read(Path place) {
        try {
            return DetectorFile.read(place);
        } catch (NescioException e) {
            String message = String.valueOf(e.getMessage()).replace(place.toString(), "the file");
            boolean isOurs = message.contains(String.valueOf(place.getParent()));
            throw new Refused(422, isOurs ? "the file is not a detector" : message);
        }
    }
}
