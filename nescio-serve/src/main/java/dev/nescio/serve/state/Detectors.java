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
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The detectors of a store, by what they are: the same detector has the same name. */
public final class Detectors {

    private static final int NAME = 24;
    private static final Pattern FILE = Pattern.compile("[0-9a-f]{24}\\.nescio");

    private final @Nullable Path folder;
    private final List<Path> temporary;

    /** Without a store, the one that comes next: those that were loaded before are never read again. */
    private volatile @Nullable Named last;

    private record Named(String name, Detector detector) {}

    /** @param store null to keep them in memory alone */
    Detectors(@Nullable Path store) {
        this(store, Path.of(System.getProperty("java.io.tmpdir")));
    }

    /** @param temporary where to make a file for a moment; where that cannot be, it is made in the store */
    Detectors(@Nullable Path store, Path temporary) {
        this.folder = store == null ? null : store.resolve("detectors");
        this.temporary = store == null ? List.of(temporary) : List.of(temporary, store);
    }

    /** What tells a detector from others. */
    String fingerprint(Detector detector) {
        for (Path place : temporary.subList(0, temporary.size() - 1)) {
            try {
                return fingerprint(detector, place);
            } catch (UncheckedIOException | BadInput e) {
                System.getLogger(Detectors.class.getName())
                        .log(System.Logger.Level.DEBUG, "no room in " + place + "; the store is used", e);
            }
        }
        return fingerprint(detector, temporary.get(temporary.size() - 1));
    }

    private static String fingerprint(Detector detector, Path folder) {
        try (WorkFolder work = WorkFolder.temporary(folder, "detector")) {
            Path place = work.path().resolve("detector.nescio");
            DetectorFile.write(detector, place);
            byte[] digest = Sha256.digest().digest(Files.readAllBytes(place));
            return HexFormat.of().formatHex(digest).substring(0, NAME);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A detector that is kept.
     *
     * @param name by which it is read
     * @param isNew whether it was not there before
     */
    public record Saved(String name, boolean isNew) {}

    /** Keeps a detector, durably where there is a store. */
    public Saved save(Detector detector) {
        String name = fingerprint(detector);
        if (folder == null) {
            last = new Named(name, detector);
            return new Saved(name, false);
        }
        Path place = place(folder, name);
        boolean isNew = !Files.exists(place);
        if (isNew) {
            try {
                Files.createDirectories(folder);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            DetectorFile.write(detector, place);
        }
        return new Saved(name, isNew);
    }

    /** A detector that was refused takes no room. */
    public void takeBack(Saved saved) {
        if (saved.isNew && folder != null) {
            delete(place(folder, saved.name));
        }
    }

    /** Forgets detectors that were saved, but which nothing in the journal names: a kill came between. */
    void keepOnly(Set<String> names) {
        if (folder == null || !Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(file ->
                            FILE.matcher(String.valueOf(file.getFileName())).matches())
                    .filter(file -> names.stream().noneMatch(name -> file.equals(place(folder, name))))
                    .forEach(Detectors::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            System.getLogger(Detectors.class.getName())
                    .log(System.Logger.Level.WARNING, "a detector that nobody needs stays in the store", e);
        }
    }

    Detector read(String name) {
        Named known = last;
        if (known != null && known.name.equals(name)) {
            return known.detector;
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
