// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What people have decided, and how it came about. Immutable; every step makes another one. */
public final class Reviews {

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

    /** A step and where it leads to. */
    record Step(Reviews after, Review.Action action) {}

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
        return Stack.list(past, most);
    }

    /** Whether a person has something to take back. */
    public boolean canUndo(String by) {
        return person(by).done != null;
    }

    /** Whether a person has something to do again. */
    public boolean canRedo(String by) {
        return person(by).undone != null;
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
        return step(action, person);
    }

    Step undo(String by, String at) {
        Stack<Review.Action> done = person(by).done;
        if (done == null) {
            throw new Refused(409, "there is nothing that " + by + " could take back");
        }
        Review.Action last = done.first();
        requireUnchanged(last.id(), last.after(), "taken back");
        Review.Action action =
                new Review.Action(next(), at, by, last.id(), of(last.id()), again(last.before()), "undo");
        return step(action, new Person(done.rest(), Stack.push(person(by).undone, last)));
    }

    Step redo(String by, String at) {
        Stack<Review.Action> undone = person(by).undone;
        if (undone == null) {
            throw new Refused(409, "there is nothing that " + by + " could do again");
        }
        Review.Action last = undone.first();
        requireUnchanged(last.id(), last.before(), "done again");
        Review.Action action = new Review.Action(next(), at, by, last.id(), of(last.id()), again(last.after()), "redo");
        return step(action, new Person(Stack.push(person(by).done, last), undone.rest()));
    }

    private @Nullable Review again(@Nullable Review review) {
        return review == null ? null : review.as(next());
    }

    private void requireUnchanged(String id, @Nullable Review expected, String what) {
        Review now = of(id);
        boolean areBoth = now != null && expected != null;
        boolean isSame = areBoth
                ? Objects.requireNonNull(now)
                        .as(0)
                        .equals(Objects.requireNonNull(expected).as(0))
                : now == null && expected == null;
        if (!isSame) {
            throw new Refused(409, "somebody else has decided about node '" + id + "' since: this cannot be " + what);
        }
    }

    private Step step(Review.Action action, Person person) {
        Reviews after = new Reviews(
                byNode.with(action.id(), action.after()),
                people.with(action.by(), person),
                Stack.push(past, action),
                counts.plus(action.before(), -1).plus(action.after(), 1));
        return new Step(after, action);
    }
}
