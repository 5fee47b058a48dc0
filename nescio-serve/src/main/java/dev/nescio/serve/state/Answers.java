// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers to requests that may come again, by their Idempotency-Key: at least the last 10,000, so that memory stays flat. Immutable. */
final class Answers {

    static final int AT_LEAST = 10_000;
    static final Answers NONE = new Answers(LayeredMap.empty(), LayeredMap.empty());

    private final LayeredMap<Answer> older;
    private final LayeredMap<Answer> newer;

    private Answers(LayeredMap<Answer> older, LayeredMap<Answer> newer) {
        this.older = older;
        this.newer = newer;
    }

    /**
     * What was answered.
     *
     * @param hash of what the client sent
     */
    record Answer(String hash, Map<String, @Nullable Object> content) {}

    @Nullable
    Answer get(String key) {
        Answer answer = newer.get(key);
        return answer == null ? older.get(key) : answer;
    }

    Answers with(String key, Answer answer) {
        LayeredMap<Answer> more = newer.with(key, answer);
        return more.size() < AT_LEAST ? new Answers(older, more) : new Answers(more, LayeredMap.empty());
    }
}
