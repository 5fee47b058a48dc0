// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import dev.nescio.decision.LabelSets;
import dev.nescio.detector.Role;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Overlay;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Everything that the service knows at one moment. Immutable: whoever has begun with one goes on with it. */
public final class State {

    /** What is shared by all states of one detector and one share of false alarms. */
    private final Loaded loaded;

    private final Overlay overlay;
    private final Columns columns;
    private final BitSet stale;
    private final Decision decision;
    private final Reviews reviews;
    private final @Nullable Stack<Batch> batches;
    private final @Nullable Stack<Change.Keep> kept;
    private final Answers answers;
    private final long version;
    private final long scoresVersion;
    private @Nullable View view;

    /**
     * What nodes are flagged by.
     *
     * @param alpha share of ordinary nodes that may be flagged
     * @param threshold scores above it are flagged
     * @param labels sets that lack the true label for a share of at most alpha; null where nobody can tell
     */
    record Decision(
            double alpha, double threshold, @Nullable LabelSets labels) {

        static Decision of(Loaded loaded, double alpha) {
            return new Decision(alpha, loaded.threshold(alpha), loaded.labelSets(alpha));
        }
    }

    private State(Parts parts) {
        this.loaded = parts.loaded;
        this.overlay = parts.overlay;
        this.columns = parts.columns;
        this.stale = parts.stale;
        this.decision = parts.decision;
        this.reviews = parts.reviews;
        this.batches = parts.batches;
        this.kept = parts.kept;
        this.answers = parts.answers;
        this.version = parts.version + 1;
        this.scoresVersion = parts.scoresVersion;
    }

    /** The parts of the next state; what is not set stays as it is. */
    static final class Parts {
        Loaded loaded;
        Overlay overlay;
        Columns columns;
        BitSet stale = new BitSet();
        Decision decision;
        Reviews reviews = Reviews.NONE;

        @Nullable
        Stack<Batch> batches;

        @Nullable
        Stack<Change.Keep> kept;

        Answers answers = Answers.NONE;
        private long version;
        private long scoresVersion;

        Parts(Loaded loaded, Overlay overlay, Columns columns, double alpha) {
            this.loaded = loaded;
            this.overlay = overlay;
            this.columns = columns;
            this.decision = Decision.of(loaded, alpha);
        }

        State build() {
            return new State(this);
        }
    }

    Parts with() {
        Parts parts = new Parts(loaded, overlay, columns, decision.alpha);
        parts.decision = decision;
        parts.stale = stale;
        parts.reviews = reviews;
        parts.batches = batches;
        parts.kept = kept;
        parts.answers = answers;
        parts.version = version;
        parts.scoresVersion = scoresVersion;
        return parts;
    }

    /** The same parts with scores of their own number. */
    Parts withNewScores() {
        Parts parts = with();
        parts.scoresVersion++;
        return parts;
    }

    /** The detector. */
    public Loaded loaded() {
        return loaded;
    }

    /** The graph with all that was kept. */
    public Overlay overlay() {
        return overlay;
    }

    Columns columns() {
        return columns;
    }

    /** How many nodes wait to be scored again, because what was kept has touched them. */
    public int staleNodes() {
        return stale.cardinality();
    }

    /** Whether a node waits to be scored again. */
    public boolean isStale(int node) {
        return stale.get(node);
    }

    NodeSet firstStale(int most) {
        return NodeSet.of(stale.stream().limit(most).toArray());
    }

    BitSet stale() {
        return (BitSet) stale.clone();
    }

    /** The share of ordinary nodes that may be flagged. */
    public double alpha() {
        return decision.alpha;
    }

    Decision decision() {
        return decision;
    }

    /** What people have decided. */
    public Reviews reviews() {
        return reviews;
    }

    /** What was kept, oldest first. */
    public List<Batch> batches() {
        List<Batch> all = new ArrayList<>(Stack.list(batches, Integer.MAX_VALUE));
        Collections.reverse(all);
        return all;
    }

    int batchCount() {
        return batches == null ? 0 : batches.size();
    }

    @Nullable
    Stack<Batch> batchStack() {
        return batches;
    }

    @Nullable
    Stack<Change.Keep> kept() {
        return kept;
    }

    Answers answers() {
        return answers;
    }

    /** Grows with every change. */
    public long version() {
        return version;
    }

    /** Grows with every change of a score. */
    public long scoresVersion() {
        return scoresVersion;
    }

    /** How many nodes there are. */
    public int nodes() {
        return overlay.nodes();
    }

    /** The number of a node, by its id. */
    public OptionalInt find(String id) {
        return overlay.find(id);
    }

    /** The number of a node; refuses an id that nobody has. */
    public int require(String id) {
        return find(id).orElseThrow(() -> new Refused(404, "there is no node '" + shortened(id) + "'"));
    }

    /** A text of a user in a message: not longer than need be. */
    public static String shortened(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "…";
    }

    /** Whether a node is flagged at the share that holds. */
    public boolean isFlagged(int node) {
        return isFlagged(node, decision.threshold);
    }

    boolean isFlagged(int node, double threshold) {
        return columns.epistemic(node) > threshold && !columns.isTraining(node);
    }

    /** What the node was when the detector was made. */
    public Role role(int node) {
        return columns.role(node);
    }

    /** How far the node lies from anything learned. */
    public double epistemic(int node) {
        return columns.epistemic(node);
    }

    /** The number of the predicted class. */
    public int predicted(int node) {
        return columns.label(node);
    }

    /** Whether a person has given the node a verdict or a label; a note alone leaves it open. */
    public boolean isDecided(int node) {
        Review review = reviews.of(overlay.id(node));
        return review != null && review.decides();
    }

    /** Whether it was kept by the service. */
    public boolean isKept(int node) {
        return node >= overlay.base().nodes();
    }

    /** Orders and counts over all nodes; made when somebody first asks. */
    public synchronized View view() {
        if (view == null) {
            view = new View(this);
        }
        return view;
    }

    /** Whether all nodes have been put into an order already. */
    public synchronized boolean hasOrder(String name) {
        return view != null && view.hasOrder(name);
    }

    /** Takes over what an earlier state has found, where it still holds. */
    void inherit(State earlier) {
        synchronized (earlier) {
            if (earlier.view != null && earlier.scoresVersion == scoresVersion) {
                view = earlier.view.on(this);
            }
        }
    }
}
