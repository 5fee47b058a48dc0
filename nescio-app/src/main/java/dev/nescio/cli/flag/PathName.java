// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.flag;

import dev.nescio.problem.BadConfiguration;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;

/** Turns a name into a path, or says why it is none. */
public final class PathName implements ITypeConverter<Path> {

    @Override
    public Path convert(String name) {
        return of(name);
    }

    public static Path of(String name) {
        requireName(name);
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new BadConfiguration(
                    "'" + name + "' is not a valid file name here: " + e.getReason()
                            + " (a locale such as C.UTF-8 allows all letters)",
                    e);
        }
    }

    public static void requireName(String name) {
        if (name.isBlank()) {
            throw new BadConfiguration("an empty file name was given");
        }
    }
}
