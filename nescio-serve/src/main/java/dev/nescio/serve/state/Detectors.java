// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import dev.nescio.detector.Detector;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.io.file.Sha256;
import dev.nescio.io.file.WorkFolder;
import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The detectors of a store, by what they are: the same detector has the same name. */
public final class Detectors {

    private static final int NAME = 24;

    private final @Nullable Path folder;
    private final Map<String, Detector> inMemory = new ConcurrentHashMap<>();

    /** @param store null to keep them in memory alone */
    Detectors(@Nullable Path store) {
        this.folder = store == null ? null : store.resolve("detectors");
    }

    /** What tells a detector from others. */
    String fingerprint(Detector detector) {
        try (WorkFolder work = WorkFolder.temporary("detector")) {
            Path place = work.path().resolve("detector.nescio");
            DetectorFile.write(detector, place);
            byte[] digest = Sha256.digest().digest(Files.readAllBytes(place));
            return HexFormat.of().formatHex(digest).substring(0, NAME);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Keeps a detector, durably where there is a store, and returns its name. */
    public String save(Detector detector) {
        String name = fingerprint(detector);
        if (folder == null) {
            inMemory.put(name, detector);
        } else {
            try {
                Files.createDirectories(folder);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            Path place = place(folder, name);
            if (!Files.exists(place)) {
                DetectorFile.write(detector, place);
            }
        }
        return name;
    }

    Detector read(String name) {
        Detector known = inMemory.get(name);
        if (known != null) {
            return known;
        }
        if (folder == null || !name.matches("[0-9a-f]{24}")) {
            throw new BadInput("the store has no detector " + name);
        }
        return DetectorFile.read(place(folder, name));
    }

    private static Path place(Path folder, String name) {
        return folder.resolve(name + ".nescio");
    }
}
