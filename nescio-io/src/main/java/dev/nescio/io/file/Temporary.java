// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Names under which something is written before it takes its place. A name says which process writes there, so that what a killed one
 * has left can be told from what another one is writing now.
 */
final class Temporary {

    private static final System.Logger LOG = System.getLogger(Temporary.class.getName());
    private static final Pattern OURS = Pattern.compile("([0-9]+)-[0-9a-f]{8}\\.part(\\.wal)?");
    /** Process numbers of another machine on the same disk mean nothing here; whoever writes there has written just now. */
    private static final Duration QUIET = Duration.ofMinutes(1);

    private static final Set<Path> LOOKED_AT = ConcurrentHashMap.newKeySet();

    private Temporary() {}

    /** A name in the same folder that nobody uses; a plain file or folder made there gets the usual permissions. */
    static Path beside(Path file) {
        String unique = UUID.randomUUID().toString().substring(0, 8);
        return file.resolveSibling(prefix(file) + ProcessHandle.current().pid() + "-" + unique + ".part");
    }

    private static String prefix(Path file) {
        return "." + file.getFileName() + ".";
    }

    /** Removes what killed processes have left beside a file, once per file. */
    static void cleanUp(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || !LOOKED_AT.add(file.toAbsolutePath())) {
            return;
        }
        try (Stream<Path> children = Files.list(folder)) {
            children.filter(child -> isLeft(child, prefix(file))).forEach(Temporary::delete);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot look into " + folder, e);
        }
    }

    /** Looks everywhere again; for tests, which are one process. */
    static void forget() {
        LOOKED_AT.clear();
    }

    private static boolean isLeft(Path child, String prefix) {
        String name = child.getFileName().toString();
        if (!name.startsWith(prefix)) {
            return false;
        }
        Matcher ours = OURS.matcher(name.substring(prefix.length()));
        if (!ours.matches()) {
            return false;
        }
        try {
            Instant written = Files.getLastModifiedTime(child).toInstant();
            return isGone(Long.parseLong(ours.group(1)), written)
                    && written.isBefore(Instant.now().minus(QUIET));
        } catch (IOException | NumberFormatException e) {
            return false;
        }
    }

    /** In a container every process may have the same number: what is older than this process, another one has written. */
    private static boolean isGone(long writer, Instant written) {
        ProcessHandle us = ProcessHandle.current();
        return writer == us.pid()
                ? us.info().startInstant().map(written::isBefore).orElse(false)
                : ProcessHandle.of(writer).isEmpty();
    }

    /** With everything in it; what cannot be deleted is left behind under its temporary name. */
    static void delete(Path root) {
        try (Stream<Path> tree = Files.exists(root) ? Files.walk(root) : Stream.empty()) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "left behind: " + root, e);
        }
    }
}
