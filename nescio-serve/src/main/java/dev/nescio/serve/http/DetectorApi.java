// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import dev.nescio.detector.Detector;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.io.file.WorkFolder;
import dev.nescio.problem.BadInput;
import dev.nescio.problem.NescioException;
import dev.nescio.serve.state.Change;
import dev.nescio.serve.state.Refused;
import dev.nescio.serve.state.Store;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;

/** Another detector, without a restart. */
final class DetectorApi {

    private final Live live;

    DetectorApi(Live live) {
        this.live = live;
    }

    void post(Context context) {
        Store store = live.store();
        String name = Objects.requireNonNullElse(
                new Query(context, Set.of("name")).text("name"),
                "upload " + (store.state().loaded().version() + 1));
        Json.name(name, "name", live.limits().text());
        byte[] body = Bodies.read(context, live.limits().detectorBytes(), live.limits());
        Detector detector = read(body);
        int wanted = store.state().overlay().base().features().columns();
        int features = detector.model().shape().features();
        if (Objects.equals(detector.schema(), store.state().loaded().detector().schema()) && features != wanted) {
            throw new Refused(
                    422, "the detector was trained on " + features + " features per node, but the graph has " + wanted);
        }
        String file;
        try {
            file = store.detectors().save(detector);
        } catch (UncheckedIOException | BadInput e) {
            throw new Refused(507, "the store takes no more: the detector was not taken, the old one stays");
        }
        Json.answer(context, live.change(Store.entry(new Change.Load(name, file, false), null, null)));
    }

    private static Detector read(byte[] body) {
        try (WorkFolder work = WorkFolder.temporary("upload")) {
            Path place = Files.write(work.path().resolve("detector.nescio"), body);
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
