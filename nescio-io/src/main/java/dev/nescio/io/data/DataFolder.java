// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.data;

import dev.nescio.graph.Graph;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.file.Sha256;
import dev.nescio.io.graph.GraphFile;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A folder with data sets, as files of their usual names in it or one level below. */
public final class DataFolder {

    private static final int ALSO_ONE_LEVEL_BELOW = 2;

    private final Path folder;

    /** A folder of data sets, which need not exist before something is put there. */
    public DataFolder(Path folder) {
        this.folder = folder;
    }

    /** Where data sets are by default: what NESCIO_DATA says, otherwise a cache in the user's home. */
    public static DataFolder standard() {
        String chosen = System.getenv("NESCIO_DATA");
        if (chosen != null && !chosen.isBlank()) {
            return new DataFolder(Path.of(chosen));
        }
        String cache = System.getenv("XDG_CACHE_HOME");
        Path home =
                cache == null || cache.isBlank() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        return new DataFolder(home.resolve("nescio"));
    }

    /** Where the folder is. */
    public Path path() {
        return folder;
    }

    /** A file that is there. */
    public record Found(DataSet.Version version, Path path) {}

    /** The file of a data set, if it is there; its content is not looked at. */
    public Optional<Found> find(DataSet set) {
        for (DataSet.Version version : set.files()) {
            for (Path path : files()) {
                if (path.getFileName().toString().equals(version.file())) {
                    return Optional.of(new Found(version, path));
                }
            }
        }
        return Optional.empty();
    }

    private List<Path> files() {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(folder, ALSO_ONE_LEVEL_BELOW)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException | UncheckedIOException e) {
            throw new BadInput(folder + " cannot be read: " + AtomicFile.reason(e), e);
        }
    }

    /** The graph of a data set that is there, after its file was verified. */
    public Graph read(DataSet set) {
        Found found = find(set)
                .orElseThrow(() -> new BadConfiguration(set.title() + " is not in " + folder + "; "
                        + (set.source() == null
                                ? "put " + set.official().file() + " there"
                                : "'nescio data pull " + set.name() + "' downloads it")));
        return verified(set, found);
    }

    /** Refuses a file that is not the one that it should be. */
    public static Graph verified(DataSet set, Found found) {
        String expected = found.version.sha256();
        if (!expected.isEmpty()) {
            String actual = sha256(found.path);
            if (!actual.equals(expected)) {
                throw new BadInput(found.path + " is not the published " + set.title() + ": its SHA-256 is " + actual
                        + ", expected " + expected);
            }
        }
        Graph graph = GraphFile.read(found.path);
        if (expected.isEmpty() && !set.size().fits(graph)) {
            throw new BadInput(found.path + " is not the published " + set.title() + ": it has "
                    + DataSet.Size.of(graph) + ", expected " + set.size());
        }
        return graph;
    }

    /** What a file is, whatever its name: the published copy of a data set, something of its size, or neither. */
    public static Identity identify(Path file) {
        String sha256 = sha256(file);
        for (DataSet set : DataSets.all()) {
            if (set.files().stream().anyMatch(version -> version.sha256().equals(sha256))) {
                return new Identity(
                        true, set.title() + " as published" + (set.source() == null ? "; " + set.remark() : ""));
            }
        }
        Graph graph = GraphFile.read(file);
        for (DataSet set : DataSets.all()) {
            if (set.size().fits(graph)) {
                boolean isAllThereIs = set.official().sha256().isEmpty();
                return new Identity(
                        isAllThereIs,
                        isAllThereIs
                                ? set.title() + " by its counts; nobody has published a checksum"
                                : "has the counts of " + set.title() + ", but not its bytes: its SHA-256 is " + sha256
                                        + ", expected " + set.official().sha256());
            }
        }
        return new Identity(false, "none of the data sets of 'nescio data list': it has " + DataSet.Size.of(graph));
    }

    /**
     * What a file is.
     *
     * @param isPublished whether it is a data set as it was published
     * @param words for people
     */
    public record Identity(boolean isPublished, String words) {}

    static String sha256(Path file) {
        MessageDigest digest = Sha256.digest();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            throw new BadInput(file + " cannot be read: " + AtomicFile.reason(e), e);
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
