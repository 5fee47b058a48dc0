// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.table;

import de.siegmar.fastcsv.reader.CloseableIterator;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.file.Utf8;
import dev.nescio.problem.BadInput;
import dev.nescio.progress.Progress;
import java.io.BufferedReader;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** A CSV file, packed where its name ends in gz. Fields are separated by commas, semicolons or tabs, as the first line says. */
public final class CsvTable implements TableReader {

    private static final int LONGEST_LINE = 1 << 22;

    private final Path file;
    private final CsvReader<CsvRecord> reader;
    private final CloseableIterator<CsvRecord> records;
    private final List<String> columns;
    private @Nullable CsvRecord first;
    private @Nullable CsvRecord record;

    private CsvTable(Path file, CsvReader<CsvRecord> reader, boolean hasHeader) {
        this.file = file;
        this.reader = reader;
        this.records = reader.iterator();
        try {
            CsvRecord top = read();
            if (top == null) {
                throw new BadInput(file + " is empty");
            }
            this.columns = hasHeader ? names(top) : numbers(top.getFieldCount());
            this.first = hasHeader ? null : top;
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Opens a file whose first line names the columns; refuses an empty file and two columns of one name. Progress counts the
     * bytes of the file as it is, packed or not.
     */
    public static CsvTable open(Path file, Progress progress) {
        return open(file, true, progress);
    }

    /** A file whose columns have no names: they are called by their numbers. */
    public static CsvTable withoutHeader(Path file, Progress progress) {
        return open(file, false, progress);
    }

    private static CsvTable open(Path file, boolean hasHeader, Progress progress) {
        try {
            char separator = separator(file);
            CsvReader<CsvRecord> reader = CsvReader.builder()
                    .fieldSeparator(separator)
                    .skipEmptyLines(true)
                    .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                    .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                    .allowUnclosedQuote(false)
                    .ofCsvRecord(Utf8.reader(unpacked(file, progress)));
            return new CsvTable(file, reader, hasHeader);
        } catch (CharacterCodingException e) {
            throw notText(file, e);
        } catch (IOException e) {
            throw new BadInput(file + " cannot be read: " + AtomicFile.reason(e), e);
        }
    }

    private static BadInput notText(Path file, Exception e) {
        return Utf8.problem(file, () -> unpacked(file, Progress.NONE), e);
    }

    private static char separator(Path file) throws IOException {
        StringBuilder line = new StringBuilder();
        try (BufferedReader in = new BufferedReader(Utf8.reader(unpacked(file, Progress.NONE)), 1 << 13)) {
            for (int c = in.read(); c >= 0 && c != '\n' && line.length() < LONGEST_LINE; c = in.read()) {
                line.append((char) c);
            }
        }
        return separator(line);
    }

    /** What separates the fields of a line: a comma, or a semicolon or a tab where there are more of them. */
    public static char separator(CharSequence line) {
        char best = ',';
        for (char candidate : new char[] {';', '\t'}) {
            best = count(line, candidate) > count(line, best) ? candidate : best;
        }
        return best;
    }

    private static long count(CharSequence line, char wanted) {
        return line.chars().filter(c -> c == wanted).count();
    }

    private static InputStream unpacked(Path file, Progress progress) throws IOException {
        Counted raw = new Counted(Files.newInputStream(file), Files.size(file), progress);
        if (!file.toString().endsWith(".gz")) {
            return raw;
        }
        try {
            return new Unpacked(new GZIPInputStream(raw, 1 << 16), raw);
        } catch (IOException e) {
            raw.close();
            throw e;
        }
    }

    private List<String> names(CsvRecord top) {
        List<String> names = new ArrayList<>();
        for (String field : top.getFields()) {
            String name = names.isEmpty() && field.startsWith("\uFEFF") ? field.substring(1) : field;
            if (names.contains(name.strip())) {
                throw new BadInput(file + ", line 1: two columns are called '" + name.strip() + "'");
            }
            names.add(name.strip());
        }
        return List.copyOf(names);
    }

    private static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).toList();
    }

    private @Nullable CsvRecord read() {
        try {
            return records.hasNext() ? records.next() : null;
        } catch (CsvParseException | UncheckedIOException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof CharacterCodingException) {
                throw notText(file, e);
            }
            String message = String.valueOf(cause.getMessage());
            throw new BadInput(
                    message.contains("maximum buffer size")
                            ? file + " has a field of more than 16 million characters; a quotation mark may be missing"
                            : file + " cannot be read: " + message,
                    e);
        }
    }

    @Override
    public boolean next() {
        record = first == null ? read() : first;
        first = null;
        if (record == null) {
            return false;
        }
        if (record.getFieldCount() != columns.size()) {
            throw new BadInput(file + ", " + place(row()) + " has " + record.getFieldCount() + " fields, but there are "
                    + columns.size() + " columns");
        }
        return true;
    }

    private CsvRecord current() {
        return Objects.requireNonNull(record, "next() comes first");
    }

    @Override
    public @Nullable String text(int column) {
        String text = current().getField(column);
        return text.isEmpty() ? null : text;
    }

    @Override
    public long row() {
        return current().getStartingLineNumber();
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
            reader.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Refuses bombs. */
    private static final class Unpacked extends FilterInputStream {

        /** Tables do not shrink so much, and what is small does no harm. */
        private static final long SUSPICIOUS = 500;

        private static final long HARMLESS = 256 << 20;

        private final Counted packed;
        private long done;

        Unpacked(InputStream in, Counted packed) {
            super(in);
            this.packed = packed;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            int count = super.read(bytes, from, length);
            done += Math.max(0, count);
            if (done > HARMLESS && done / SUSPICIOUS > packed.done) {
                throw new IOException("it unpacks to more than " + SUSPICIOUS + " times its size");
            }
            return count;
        }
    }

    /** Tells how much of a file has been read. */
    private static final class Counted extends FilterInputStream {

        private final long total;
        private final Progress progress;
        private long done;

        Counted(InputStream in, long total, Progress progress) {
            super(in);
            this.total = total;
            this.progress = progress;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            int count = super.read(bytes, from, length);
            done += Math.max(0, count);
            progress.at(done, total);
            return count;
        }
    }
}
