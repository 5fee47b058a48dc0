// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharedTest {

    @Test
    void oneMakesItAndThoseWhoWaitKeepNobodyFromComputing() throws Exception {
        Live live = new Live(Limits.DEFAULT);
        Shared<Integer, String> shared = new Shared<>(live);
        int cores = Math.max(2, Runtime.getRuntime().availableProcessors());
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger made = new AtomicInteger();
        ExecutorService pool = Executors.newCachedThreadPool();
        try {
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < cores + 2; i++) {
                answers.add(pool.submit(() -> shared.get(1, () -> {
                    made.incrementAndGet();
                    begun.countDown();
                    join(end);
                    return "made";
                })));
            }
            assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
            TimeUnit.MILLISECONDS.sleep(200);
            assertThat(pool.submit(() -> live.compute(() -> "another")).get(5, TimeUnit.SECONDS))
                    .isEqualTo("another");
            end.countDown();
            for (Future<String> answer : answers) {
                assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo("made");
            }
            assertThat(made).hasValue(1);
            assertThat(shared.get(2, () -> "other")).isEqualTo("other");
        } finally {
            end.countDown();
            pool.shutdownNow();
        }
    }

    private static void join(CountDownLatch end) {
        try {
            assertThat(end.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
