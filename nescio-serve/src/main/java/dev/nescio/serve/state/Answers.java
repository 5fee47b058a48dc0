// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answers to requests that may come again, by their Idempotency-Key: at least the last {@value #AT_LEAST}, or as many as have {@value #MOST_NODES}
 * nodes together, so that memory stays flat. Immutable.
 */
final class Answers {

    static final int AT_LEAST = 10_000;
    static final int MOST_NODES = 20_000;
    static final Answers NONE = new Answers(LayeredMap.empty(), LayeredMap.empty(), 0);

    private final LayeredMap<Answer> older;
    private final LayeredMap<Answer> newer;

    /** How many nodes the newer ones tell of. */
    private final int nodes;

    private Answers(LayeredMap<Answer> older, LayeredMap<Answer> newer, int nodes) {
        this.older = older;
        this.newer = newer;
        this.nodes = nodes;
    }

    /**
     * What was answered.
     *
     * @param hash of what the client sent
     */
    record Answer(String hash, Map<String, @Nullable Object> content) {

        private int nodes() {
            return content.get("nodes") instanceof List<?> list ? list.size() : 0;
        }
    }

    @Nullable
    Answer get(String key) {
        Answer answer = newer.get(key);
        return answer == null ? older.get(key) : answer;
    }

    Answers with(String key, Answer answer) {
        LayeredMap<Answer> more = newer.with(key, answer);
        int all = nodes + answer.nodes();
        return more.size() < AT_LEAST && all < MOST_NODES
                ? new Answers(older, more, all)
                : new Answers(more, LayeredMap.empty(), 0);
    }
}
