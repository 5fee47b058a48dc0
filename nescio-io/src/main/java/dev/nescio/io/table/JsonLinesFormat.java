// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.table;

import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.file.Utf8;
import dev.nescio.problem.BadInput;
import dev.nescio.progress.Progress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One JSON object per line; a key that an object lacks is a missing value. */
final class JsonLinesFormat implements TableFormat {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int MOST_COLUMNS = 1 << 16;

    @Override
    public String name() {
        return "json-lines";
    }

    @Override
    public String summary() {
        return "one JSON object per line; lists of numbers are several features";
    }

    @Override
    public List<String> endings() {
        return List.of(".jsonl", ".ndjson");
    }

    /** The file is read twice: the first time for the names of the columns. */
    @Override
    public TableReader open(Path file, Progress progress) {
        Set<String> names = new LinkedHashSet<>();
        try (Lines lines = new Lines(file, List.of(), Progress.NONE)) {
            while (lines.next()) {
                names.addAll(lines.object.propertyNames());
                if (names.size() > MOST_COLUMNS) {
                    throw new BadInput(file + ", " + lines.place(lines.row()) + ": there are more than " + MOST_COLUMNS
                            + " different keys");
                }
            }
        }
        if (names.isEmpty()) {
            throw new BadInput(file + " is empty");
        }
        return new Lines(file, new ArrayList<>(names), progress);
    }

    private static final class Lines implements TableReader {

        private final Path file;
        private final List<String> columns;
        private final Progress progress;
        private final BufferedReader in;
        private final long size;
        private JsonNode object = JSON.nullNode();
        private long line;
        private long read;

        Lines(Path file, List<String> columns, Progress progress) {
            this.file = file;
            this.columns = columns;
            this.progress = progress;
            try {
                this.size = Files.size(file);
                this.in = Files.newBufferedReader(file);
            } catch (IOException e) {
                throw new BadInput(file + " cannot be read: " + AtomicFile.reason(e), e);
            }
        }

        @Override
        public boolean next() {
            try {
                for (String text = in.readLine(); text != null; text = in.readLine()) {
                    line++;
                    read += text.length() + 1;
                    progress.at(Math.min(read, size), size);
                    if (!text.isBlank()) {
                        object = parse(text);
                        return true;
                    }
                }
                return false;
            } catch (CharacterCodingException e) {
                throw Utf8.problem(file, () -> Files.newInputStream(file), e);
            } catch (IOException e) {
                throw new BadInput(file + " cannot be read: " + AtomicFile.reason(e), e);
            }
        }

        /** Without where the library thinks that it is. */
        private static String reason(JacksonException e) {
            return String.valueOf(e.getOriginalMessage()).replaceFirst(" \\(start marker.*|\\s+at \\[Source.*", "");
        }

        private JsonNode parse(String text) {
            JsonNode node;
            try {
                node = JSON.readTree(text);
            } catch (JacksonException e) {
                throw new BadInput(file + ", " + place(line) + " is not JSON: " + reason(e), e);
            }
            if (!node.isObject()) {
                throw new BadInput(file + ", " + place(line) + " is not a JSON object");
            }
            return node;
        }

        @Override
        public @Nullable String text(int column) {
            JsonNode value = object.get(columns.get(column));
            if (value == null || value.isNull()) {
                return null;
            }
            if (value.isObject()) {
                throw new BadInput(file + ", " + place(line) + ": '" + columns.get(column)
                        + "' is an object, but a table holds numbers, texts and lists of numbers");
            }
            String text = value.isArray() ? value.toString() : value.asString();
            return text.isEmpty() ? null : text;
        }

        @Override
        public long row() {
            return line;
        }

        @Override
        public String place(long row) {
            return "line " + row;
        }

        @Override
        public String file() {
            return file.toString();
        }

        @Override
        public List<String> columns() {
            return columns;
        }

        @Override
        public void close() {
            try {
                in.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
