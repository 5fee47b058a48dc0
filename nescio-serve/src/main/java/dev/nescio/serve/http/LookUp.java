// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import dev.nescio.detector.Role;
import dev.nescio.detector.ScoreTable;
import dev.nescio.graph.Graph;
import dev.nescio.graph.TableSchema;
import dev.nescio.io.file.WorkFolder;
import dev.nescio.io.score.CsvScores;
import dev.nescio.io.score.JsonLinesScores;
import dev.nescio.io.score.ParquetScores;
import dev.nescio.serve.state.NodeAnswer;
import dev.nescio.serve.state.Refused;
import dev.nescio.serve.state.State;
import dev.nescio.serve.state.Table;
import dev.nescio.serve.state.View;
import io.javalin.http.Context;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One node, pages of nodes, the whole table. */
final class LookUp {

    private static final int MOST = 1000;
    private static final Set<String> FILTERS = Set.of(
            "offset",
            "limit",
            "order",
            "flagged",
            "class",
            "role",
            "reviewed",
            "kept",
            "q",
            "minEpistemic",
            "maxEpistemic",
            "alpha");

    private final Live live;

    LookUp(Live live) {
        this.live = live;
    }

    void node(Context context) {
        State state = live.state();
        new Query(context, Set.of("id"));
        int node = state.require(Query.id(context));
        Json.answer(
                context,
                state.isStale(node) ? live.compute(() -> NodeAnswer.fresh(state, node)) : NodeAnswer.of(state, node));
    }

    void nodes(Context context) {
        State state = live.state();
        Query query = new Query(context, FILTERS);
        int offset = query.whole("offset", 0, 0, Integer.MAX_VALUE);
        int limit = query.whole("limit", 50, 1, MOST);
        String order = Objects.requireNonNullElse(query.text("order"), "-epistemic");
        List<IntPredicate> filters = filters(state, query);
        boolean isDown = order.startsWith("-");
        String name = isDown ? order.substring(1) : order;
        IntPredicate filter = live.deadline().on(node -> filters.stream().allMatch(one -> one.test(node)));
        Supplier<View.Slice> look = () -> state.view().slice(name, isDown, filter, filters.isEmpty(), offset, limit);
        // A page of an order that is known is a look-up; whatever goes through all nodes is a computation.
        View.Slice slice = filters.isEmpty() && state.hasOrder(name) ? look.get() : live.compute(look);
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("total", slice.total());
        answer.put("offset", offset);
        answer.put("limit", limit);
        answer.put("order", order);
        answer.put(
                "nodes",
                Arrays.stream(slice.nodes())
                        .mapToObj(node -> NodeAnswer.of(state, node))
                        .toList());
        Json.answer(context, answer);
    }

    private static List<IntPredicate> filters(State state, Query query) {
        List<IntPredicate> filters = new ArrayList<>();
        Double alpha = query.share("alpha");
        double threshold = alpha == null ? Double.NaN : Decide.threshold(state, alpha);
        Boolean flagged = query.truth("flagged");
        if (flagged != null) {
            filters.add(node -> flagged
                    == (alpha == null
                            ? state.isFlagged(node)
                            : state.epistemic(node) > threshold && state.role(node) != Role.TRAINING));
        }
        String name = query.text("class");
        if (name != null) {
            int number = state.loaded().classes().indexOf(name);
            if (number < 0) {
                throw new Refused(
                        400,
                        "there is no class '" + State.shortened(name) + "'; classes are "
                                + State.shortened(
                                        String.join(", ", state.loaded().classes())));
            }
            filters.add(node -> state.predicted(node) == number);
        }
        String role = query.text("role");
        if (role != null) {
            Role wanted = Arrays.stream(Role.values())
                    .filter(candidate -> candidate.text().equals(role))
                    .findFirst()
                    .orElseThrow(() -> new Refused(
                            400,
                            "there is no role '" + State.shortened(role)
                                    + "'; roles are training, validation, held-out, seen and new"));
            filters.add(node -> state.role(node) == wanted);
        }
        Boolean reviewed = query.truth("reviewed");
        if (reviewed != null) {
            filters.add(node -> reviewed == state.isDecided(node));
        }
        Boolean kept = query.truth("kept");
        if (kept != null) {
            filters.add(node -> kept == state.isKept(node));
        }
        Double low = query.number("minEpistemic");
        if (low != null) {
            filters.add(node -> state.epistemic(node) >= low);
        }
        Double high = query.number("maxEpistemic");
        if (high != null) {
            filters.add(node -> state.epistemic(node) <= high);
        }
        String text = query.text("q");
        if (text != null) {
            String wanted = text.toLowerCase(Locale.ROOT);
            filters.add(
                    node -> state.overlay().id(node).toLowerCase(Locale.ROOT).contains(wanted));
        }
        return filters;
    }

    void table(Context context) {
        State state = live.state();
        String format = Objects.requireNonNullElse(
                Json.oneOf(
                        new Query(context, Set.of("format")).text("format"),
                        "format",
                        List.of("csv", "ndjson", "parquet")),
                "csv");
        ScoreTable table = Table.of(state);
        context.header("Content-Disposition", "attachment; filename=\"scores." + format + "\"");
        switch (format) {
            case "csv" ->
                send(context, "text/csv; charset=utf-8", out -> {
                    Writer text = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), 1 << 16);
                    CsvScores.write(table, text);
                    text.flush();
                });
            case "ndjson" -> send(context, "application/x-ndjson", out -> JsonLinesScores.write(table, out));
            default -> parquet(context, table);
        }
    }

    /** A long answer, written while it is made. */
    @FunctionalInterface
    private interface Body {
        void write(OutputStream out) throws IOException;
    }

    private static void send(Context context, String type, Body body) {
        context.contentType(type);
        try {
            body.write(context.outputStream());
        } catch (IOException | UncheckedIOException e) {
            throw new ClientGone(e);
        }
    }

    private static void parquet(Context context, ScoreTable table) {
        try (WorkFolder work = WorkFolder.temporary("table")) {
            Path file = work.path().resolve("scores.parquet");
            new ParquetScores().write(table, null, file);
            send(context, "application/vnd.apache.parquet", out -> Files.copy(file, out));
        } catch (IOException e) {
            throw new Refused(507, "there is no room to make the table");
        }
    }

    void columns(Context context) {
        Graph graph = live.state().overlay().base();
        TableSchema schema = graph.schema();
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put(
                "columns",
                schema == null
                        ? null
                        : schema.columns().stream().map(LookUp::column).toList());
        answer.put("features", graph.features().columns());
        answer.put("id", schema == null ? "id" : schema.id());
        answer.put("label", schema == null ? null : schema.label());
        answer.put("from", schema == null ? "from" : schema.source());
        answer.put("to", schema == null ? "to" : schema.target());
        Json.answer(context, answer);
    }

    private static Map<String, @Nullable Object> column(TableSchema.Column column) {
        boolean isNumber = column.kind() == TableSchema.Kind.NUMBERS;
        Object example = null;
        if (isNumber) {
            List<Double> centres =
                    column.numbers().stream().map(scale -> scale.centre()).toList();
            example = centres.size() == 1 ? centres.get(0) : centres;
        } else if (!column.categories().isEmpty()) {
            example = column.categories().get(0);
        }
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("name", column.name());
        answer.put("kind", isNumber ? "number" : "category");
        answer.put("example", example);
        answer.put("categories", column.categories().stream().limit(MOST).toList());
        answer.put("numbers", column.numbers().size());
        return answer;
    }
}
