// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import dev.nescio.io.table.TableFormats;
import dev.nescio.io.table.TableReader;
import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A table that can be read from the beginning as often as that is wanted. */
public interface TableSource {

    /** What messages call it. */
    String place();

    /** Begins to read; the listener hears how far it is where that is known. */
    TableReader open(TableGraph.Listener listener);

    /** How many rows it has, about. */
    long rows();

    /** Something that changes when the table does; empty where nobody can tell, so that work on it is never taken up again. */
    String state();

    /** A file; refuses one that is not there. */
    static TableSource of(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new BadInput(file + " does not exist or is not a file");
        }
        return new TableSource() {
            @Override
            public String place() {
                return file.toString();
            }

            @Override
            public TableReader open(TableGraph.Listener listener) {
                return TableFormats.open(file, listener.reading(file));
            }

            @Override
            public long rows() {
                try {
                    return Files.size(file) / 8;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            public String state() {
                try {
                    return file.getFileName() + " " + Files.size(file) + " " + Files.getLastModifiedTime(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
    }
}
