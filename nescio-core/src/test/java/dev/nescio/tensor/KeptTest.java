// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class KeptTest {

    private final AtomicInteger made = new AtomicInteger();
    private final List<Integer> closed = new ArrayList<>();

    private final class Copy implements AutoCloseable {
        private final int number = made.incrementAndGet();

        @Override
        public void close() {
            closed.add(number);
        }
    }

    private final Kept<Copy> kept = new Kept<>(30, copy -> 10);

    private int use(Object source) {
        return kept.with(List.of(source), Copy::new, copy -> copy.number);
    }

    @Test
    void whatWasMadeFromTheSameObjectIsUsedAgain() {
        String one = new String("same text");
        String other = new String("same text");

        assertThat(use(one)).isEqualTo(1);
        assertThat(use(other)).isEqualTo(2);
        assertThat(use(one)).isEqualTo(1);
        assertThat(closed).isEmpty();
    }

    @Test
    void whatWasUsedLongestAgoMakesRoom() {
        List<Object> sources = List.of(new Object(), new Object(), new Object(), new Object());
        sources.subList(0, 3).forEach(this::use);
        use(sources.get(0));
        use(sources.get(3));

        assertThat(closed).containsExactly(2);
        assertThat(use(sources.get(0))).isEqualTo(1);
    }

    @Test
    void nothingIsFreedWhileSomebodyUsesIt() {
        Object source = new Object();
        Kept<Copy> none = new Kept<>(0, copy -> 10);

        none.with(List.of(source), Copy::new, copy -> {
            none.with(List.of(new Object()), Copy::new, other -> other.number);
            assertThat(closed).containsExactly(2);
            return none.with(List.of(source), Copy::new, same -> {
                assertThat(same).isSameAs(copy);
                return 0;
            });
        });

        assertThat(closed).containsExactly(2, 1);
        assertThat(none.size()).isZero();
    }

    @Test
    void whatWasMadeFromObjectsThatAreGoneIsFreed() throws InterruptedException {
        use(new Object());
        Object stays = new Object();
        for (int i = 0; i < 100 && closed.isEmpty(); i++) {
            System.gc();
            Thread.sleep(20);
            use(stays);
        }

        assertThat(closed).containsExactly(1);
    }

    @Test
    void aFailureLeavesNothingInUse() {
        Object source = new Object();
        Kept<Copy> none = new Kept<>(0, copy -> 10);
        try {
            none.with(List.of(source), Copy::new, copy -> {
                throw new IllegalStateException("no");
            });
        } catch (IllegalStateException expected) {
            assertThat(expected).hasMessage("no");
        }

        assertThat(closed).containsExactly(1);
    }
}
