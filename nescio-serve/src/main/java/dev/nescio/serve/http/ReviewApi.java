// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import de.siegmar.fastcsv.writer.CsvWriter;
import dev.nescio.io.table.Values;
import dev.nescio.serve.state.Change;
import dev.nescio.serve.state.Deadline;
import dev.nescio.serve.state.NodeAnswer;
import dev.nescio.serve.state.Refused;
import dev.nescio.serve.state.Review;
import dev.nescio.serve.state.Reviews;
import dev.nescio.serve.state.State;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** What people decide about nodes. */
final class ReviewApi {

    private static final int MOST = 1000;

    private final Live live;

    ReviewApi(Live live) {
        this.live = live;
    }

    void queue(Context context) {
        State state = live.state();
        Query query = new Query(context, Set.of("order", "limit"));
        String order = Objects.requireNonNullElse(
                Json.oneOf(query.text("order"), "order", List.of("uncertain", "spread")), "uncertain");
        int limit = query.whole("limit", 50, 1, MOST);
        Deadline deadline = live.deadline();
        Queue queue = live.compute(() -> Queue.of(state, order.equals("spread"), limit, deadline));
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("total", queue.total());
        answer.put("open", queue.open());
        answer.put(
                "nodes",
                Arrays.stream(queue.first())
                        .mapToObj(node -> NodeAnswer.of(state, node))
                        .toList());
        Json.answer(context, answer);
    }

    void put(Context context) {
        new Query(context, Set.of("id"));
        String id = known(context);
        ObjectNode body = Json.object(
                Bodies.read(context, live.limits().bodyBytes(), live.limits()),
                Set.of("verdict", "label", "note", "by"));
        int longest = live.limits().text();
        String verdict = Json.oneOf(Json.text(body, "verdict", longest), "verdict", List.of("ordinary", "strange"));
        String label = label(Json.text(body, "label", longest));
        String note = Json.text(body, "note", longest);
        if (verdict == null && label == null && note == null) {
            throw new Refused(422, "a decision needs a 'verdict', a 'label' or a 'note'; DELETE takes one away");
        }
        String by = Json.name(Json.text(body, "by", longest), "by", longest);
        Map<String, @Nullable Object> answer =
                change(context, new Change.Judge(id, verdict, label, note, by, false, expected(context)));
        // What this request has decided: by now somebody else may have taken it away again.
        Review.Action action = (Review.Action) Objects.requireNonNull(answer.get("action"));
        Json.answer(context, Objects.requireNonNull(action.after()));
    }

    void delete(Context context) {
        String id = known(context);
        String by = Json.name(
                new Query(context, Set.of("by", "id")).text("by"),
                "by",
                live.limits().text());
        Json.answer(context, change(context, new Change.Judge(id, null, null, null, by, true, expected(context))));
    }

    /** Refuses what {@code train --labels} would read as no label, or not read at all. */
    private static @Nullable String label(@Nullable String given) {
        if (given == null) {
            return null;
        }
        if (given.indexOf('\n') >= 0 || given.indexOf('\t') >= 0) {
            throw new Refused(422, "'label' holds a control character");
        }
        if (Values.isMissing(given.strip())) {
            throw new Refused(
                    422, "'label' is '" + given + "', which tables of labels take for a missing value; leave it out");
        }
        return given;
    }

    private String known(Context context) {
        String id = Query.id(context);
        live.state().require(id);
        return id;
    }

    private static @Nullable Long expected(Context context) {
        String given = context.header("If-Match");
        if (given == null) {
            return null;
        }
        try {
            return Long.valueOf(given.replace("\"", "").strip());
        } catch (NumberFormatException e) {
            throw new Refused(400, "'If-Match' must be the version of a decision, 0 where there is none");
        }
    }

    void undo(Context context) {
        Json.answer(context, change(context, new Change.Undo(by(context))));
    }

    void redo(Context context) {
        Json.answer(context, change(context, new Change.Redo(by(context))));
    }

    private String by(Context context) {
        ObjectNode body = Json.object(Bodies.read(context, live.limits().bodyBytes(), live.limits()), Set.of("by"));
        return Json.name(
                Json.text(body, "by", live.limits().text()), "by", live.limits().text());
    }

    private Map<String, @Nullable Object> change(Context context, Change change) {
        return live.change(Repeatable.entry(context, change, live.limits()));
    }

    void history(Context context) {
        Query query = new Query(context, Set.of("limit", "by", "before"));
        Reviews reviews = live.state().reviews();
        String by = query.text("by");
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        int before = query.whole("before", Integer.MAX_VALUE, 1, Integer.MAX_VALUE);
        answer.put("actions", reviews.history(query.whole("limit", 100, 1, MOST), before));
        answer.put("canUndo", by != null && reviews.canUndo(by));
        answer.put("canRedo", by != null && reviews.canRedo(by));
        Json.answer(context, answer);
    }

    /** Labels that {@code nescio train --labels} takes. */
    void labels(Context context) {
        StringWriter text = new StringWriter();
        CsvWriter csv = CsvWriter.builder().build(text);
        csv.writeRecord("id", "label");
        live.state().reviews().all().stream()
                .filter(review -> review.label() != null)
                .sorted(Comparator.comparing(Review::id))
                .forEach(review -> csv.writeRecord(review.id(), review.label()));
        flush(csv);
        context.contentType("text/csv; charset=utf-8")
                .header("Content-Disposition", "attachment; filename=\"labels.csv\"")
                .result(text.toString());
    }

    private static void flush(CsvWriter csv) {
        try {
            csv.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
