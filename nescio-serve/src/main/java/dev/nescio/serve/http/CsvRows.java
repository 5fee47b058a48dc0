// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import dev.nescio.graph.Graph;
import dev.nescio.graph.TableSchema;
import dev.nescio.io.table.CsvTable;
import dev.nescio.io.table.Values;
import dev.nescio.serve.state.Change;
import dev.nescio.serve.state.Refused;
import dev.nescio.serve.state.State;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** New nodes and edges from CSV, read by the columns of the tables that the detector was trained on. */
final class CsvRows {

    private static final List<String> ID_NAMES = List.of("id", "node_id", "node", "name");
    private static final List<String> FROM_NAMES = List.of("source", "src", "from");
    private static final List<String> TO_NAMES = List.of("target", "dst", "to");

    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final Graph graph;
    private final Limits limits;

    CsvRows(Graph graph, Limits limits) {
        this.graph = graph;
        this.limits = limits;
    }

    /** A header and rows of equal length. */
    private record Rows(List<String> header, List<List<String>> rows) {}

    List<Change.NewNode> nodes(String csv) {
        Rows table = read(csv, "nodes", limits.nodes());
        TableSchema schema = graph.schema();
        int id = column(table.header, schema == null ? null : schema.id(), ID_NAMES, "nodes");
        List<Change.NewNode> nodes = new ArrayList<>();
        for (List<String> row : table.rows) {
            try {
                String name = Json.name(row.get(id), "id", limits.text());
                nodes.add(
                        schema == null
                                ? new Change.NewNode(name, null, numbers(row, id))
                                : new Change.NewNode(name, columns(schema, table.header, row, id), null));
            } catch (Refused e) {
                throw new Refused(
                        e.status(),
                        "row " + (nodes.size() + 1) + " of the nodes, '" + State.shortened(row.get(id)) + "': "
                                + e.getMessage());
            }
        }
        return nodes;
    }

    List<List<String>> edges(String csv) {
        Rows table = read(csv, "edges", limits.edges());
        TableSchema schema = graph.schema();
        int from = column(table.header, schema == null ? null : schema.source(), FROM_NAMES, "edges");
        int to = column(table.header, schema == null ? null : schema.target(), TO_NAMES, "edges");
        return table.rows.stream()
                .map(row -> List.of(
                        Json.name(row.get(from), "from", limits.text()), Json.name(row.get(to), "to", limits.text())))
                .toList();
    }

    private static Rows read(String csv, String what, int most) {
        String text = csv.startsWith(BYTE_ORDER_MARK) ? csv.substring(1) : csv;
        List<List<String>> rows = new ArrayList<>();
        try (CsvReader<CsvRecord> reader = CsvReader.builder()
                .fieldSeparator(CsvTable.separator(text.lines().findFirst().orElse("")))
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .allowUnclosedQuote(false)
                .ofCsvRecord(text)) {
            for (CsvRecord line : reader) {
                if (rows.size() > most) {
                    throw new Refused(413, "the " + what + " have more than " + most + " rows, which is the limit");
                }
                rows.add(line.getFields());
            }
        } catch (CsvParseException | UncheckedIOException e) {
            throw new Refused(400, "the CSV of the " + what + " cannot be read; a quotation mark may be missing");
        } catch (IOException e) {
            throw new Refused(400, "the CSV of the " + what + " cannot be read");
        }
        if (rows.isEmpty()) {
            throw new Refused(400, "the CSV of the " + what + " has no header");
        }
        List<String> header = header(rows.remove(0), what);
        for (int i = 0; i < rows.size(); i++) {
            if (rows.get(i).size() != header.size()) {
                throw new Refused(
                        422,
                        "row " + (i + 1) + " of the " + what + " has "
                                + rows.get(i).size() + " fields, but the header has " + header.size());
            }
        }
        return new Rows(header, rows);
    }

    private static List<String> header(List<String> fields, String what) {
        List<String> names = fields.stream().map(String::strip).toList();
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            if (!seen.add(name)) {
                throw new Refused(422, "two columns of the " + what + " are called '" + State.shortened(name) + "'");
            }
        }
        return names;
    }

    private static int column(List<String> header, @Nullable String wanted, List<String> usual, String what) {
        if (wanted != null && header.contains(wanted)) {
            return header.indexOf(wanted);
        }
        return usual.stream()
                .filter(header::contains)
                .findFirst()
                .map(header::indexOf)
                .orElseThrow(() -> new Refused(
                        422,
                        "the " + what + " have no column '" + (wanted == null ? usual.get(0) : wanted)
                                + "'; the header is "
                                + State.shortened(String.join(",", header))));
    }

    private float[] numbers(List<String> row, int id) {
        float[] features = new float[row.size() - 1];
        for (int i = 0; i < features.length; i++) {
            features[i] = (float) number(row.get(i < id ? i : i + 1), "features");
        }
        return features;
    }

    private static Map<String, @Nullable Object> columns(
            TableSchema schema, List<String> header, List<String> row, int id) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (int i = 0; i < header.size(); i++) {
            if (i != id && !header.get(i).equals(schema.label())) {
                values.put(header.get(i), value(schema, header.get(i), row.get(i)));
            }
        }
        return values;
    }

    private static @Nullable Object value(TableSchema schema, String name, String text) {
        Optional<TableSchema.Column> column = schema.columns().stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst();
        if (Values.isMissing(text.strip())) {
            return null;
        }
        if (column.isEmpty() || column.get().kind() == TableSchema.Kind.CATEGORY) {
            return text;
        }
        return column.get().numbers().size() == 1
                ? (Object) number(text, name)
                : Arrays.stream(text.replaceAll("[\\[\\]()]", " ").strip().split("[,;|\\s]+"))
                        .map(part -> number(part, name))
                        .toList();
    }

    private static double number(String text, String column) {
        try {
            return Values.number(text);
        } catch (NumberFormatException e) {
            throw new Refused(
                    422, "column '" + State.shortened(column) + "' takes numbers, got '" + State.shortened(text) + "'");
        }
    }
}
