// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What people have decided, and how it came about. Immutable; every step makes another one. */
public final class Reviews {

    private static final int MOST_NOTES = 20;

    static final Reviews NONE = new Reviews(LayeredMap.empty(), LayeredMap.empty(), null, new Counts(0, 0, 0, 0));

    /**
     * How many nodes have been decided about.
     *
     * @param done in all
     */
    public record Counts(int done, int ordinary, int strange, int labelled) {

        private Counts plus(@Nullable Review review, int sign) {
            if (review == null) {
                return this;
            }
            return new Counts(
                    done + (review.decides() ? sign : 0),
                    ordinary + ("ordinary".equals(review.verdict()) ? sign : 0),
                    strange + ("strange".equals(review.verdict()) ? sign : 0),
                    labelled + (review.label() == null ? 0 : sign));
        }
    }

    /** What one person can take back, and do again. */
    private record Person(
            @Nullable Stack<Review.Action> done, @Nullable Stack<Review.Action> undone) {

        static final Person NEW = new Person(null, null);
    }

    private final LayeredMap<Review> byNode;
    private final LayeredMap<Person> people;
    private final @Nullable Stack<Review.Action> past;
    private final Counts counts;

    private Reviews(
            LayeredMap<Review> byNode, LayeredMap<Person> people, @Nullable Stack<Review.Action> past, Counts counts) {
        this.byNode = byNode;
        this.people = people;
        this.past = past;
        this.counts = counts;
    }

    /**
     * A step and where it leads to.
     *
     * @param notes what was left out
     */
    record Step(Reviews after, Review.Action action, List<String> notes) {}

    /** The decision about a node; null where there is none. */
    public @Nullable Review of(String id) {
        return byNode.size() == 0 ? null : byNode.get(id);
    }

    /** How many there are. */
    public Counts counts() {
        return counts;
    }

    /** The last steps, newest first. */
    public List<Review.Action> history(int most) {
        return history(most, Long.MAX_VALUE);
    }

    /** The last steps with smaller numbers than {@code before}, newest first. */
    public List<Review.Action> history(int most, long before) {
        Stack<Review.Action> from = past;
        while (from != null && from.first().number() >= before) {
            from = from.rest();
        }
        return Stack.list(from, most);
    }

    /** Whether a person has something to take back. */
    public boolean canUndo(String by) {
        return current(person(by).done, Review.Action::after) != null;
    }

    /** Whether a person has something to do again. */
    public boolean canRedo(String by) {
        return current(person(by).undone, Review.Action::before) != null;
    }

    /** All decisions, in no order. */
    public List<Review> all() {
        List<Review> all = new ArrayList<>();
        byNode.forEach((id, review) -> all.add(review));
        return all;
    }

    private Person person(String by) {
        return Objects.requireNonNullElse(people.get(by), Person.NEW);
    }

    private long next() {
        return past == null ? 1 : past.first().number() + 1;
    }

    Step judge(Change.Judge change, String at) {
        Review before = of(change.id());
        long seen = before == null ? 0 : before.version();
        Long expected = change.expected();
        if (expected != null && expected != seen) {
            throw new Refused(
                    409,
                    "somebody else has decided about node '" + change.id() + "' in the meantime: its version is " + seen
                            + ", not " + expected);
        }
        if (change.remove() && before == null) {
            throw new Refused(404, "there is no decision about node '" + change.id() + "'");
        }
        Review after = change.remove()
                ? null
                : new Review(change.id(), change.verdict(), change.label(), change.note(), change.by(), at, next());
        Review.Action action = new Review.Action(next(), at, change.by(), change.id(), before, after, "review");
        Person person = new Person(Stack.push(person(change.by()).done, action), null);
        return step(action, person, List.of());
    }

    Step undo(String by, String at) {
        Stack<Review.Action> all = person(by).done;
        Stack<Review.Action> done = current(all, Review.Action::after);
        if (done == null) {
            throw nothing(by, "take back", all);
        }
        Review.Action last = done.first();
        Review.Action action =
                new Review.Action(next(), at, by, last.id(), of(last.id()), again(last.before()), "undo");
        return step(action, new Person(done.rest(), Stack.push(person(by).undone, last)), notes(all, done));
    }

    Step redo(String by, String at) {
        Stack<Review.Action> all = person(by).undone;
        Stack<Review.Action> undone = current(all, Review.Action::before);
        if (undone == null) {
            throw nothing(by, "do again", all);
        }
        Review.Action last = undone.first();
        Review.Action action = new Review.Action(next(), at, by, last.id(), of(last.id()), again(last.after()), "redo");
        return step(action, new Person(Stack.push(person(by).done, last), undone.rest()), notes(all, undone));
    }

    /** Without the newest steps on nodes that somebody else has decided about since; null where nothing is left. */
    private @Nullable Stack<Review.Action> current(
            @Nullable Stack<Review.Action> steps, Function<Review.Action, @Nullable Review> expected) {
        Stack<Review.Action> at = steps;
        while (at != null && !isUnchanged(at.first().id(), expected.apply(at.first()))) {
            at = at.rest();
        }
        return at;
    }

    private static Refused nothing(String by, String what, @Nullable Stack<Review.Action> overtaken) {
        return new Refused(
                409,
                overtaken == null
                        ? "there is nothing that " + by + " could " + what
                        : "somebody else has decided about node '"
                                + State.shortened(overtaken.first().id()) + "' since: there is nothing left that " + by
                                + " could " + what);
    }

    /** What was left out, in words. */
    private static List<String> notes(@Nullable Stack<Review.Action> all, Stack<Review.Action> left) {
        List<String> notes = new ArrayList<>();
        for (Stack<Review.Action> at = all; at != null && at.size() > left.size(); at = at.rest()) {
            notes.add("somebody else has decided about node '"
                    + State.shortened(at.first().id()) + "' since: that decision stays");
        }
        return notes.stream().distinct().limit(MOST_NOTES).toList();
    }

    private @Nullable Review again(@Nullable Review review) {
        return review == null ? null : review.as(next());
    }

    private boolean isUnchanged(String id, @Nullable Review expected) {
        return Objects.equals(withoutVersion(of(id)), withoutVersion(expected));
    }

    private static @Nullable Review withoutVersion(@Nullable Review review) {
        return review == null ? null : review.as(0);
    }

    private Step step(Review.Action action, Person person, List<String> notes) {
        Reviews after = new Reviews(
                byNode.with(action.id(), action.after()),
                people.with(action.by(), person),
                Stack.push(past, action),
                counts.plus(action.before(), -1).plus(action.after(), 1));
        return new Step(after, action, notes);
    }
}
