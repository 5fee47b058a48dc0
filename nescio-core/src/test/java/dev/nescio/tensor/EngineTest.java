// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.EngineFailure;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class EngineTest {

    @Test
    void failuresOfTheEngineAreTranslated() {
        assertThatThrownBy(() -> Scope.run(() -> Tensor.zeros(2, 3).product(Tensor.zeros(2, 3))))
                .isInstanceOf(EngineFailure.class)
                .hasMessageStartingWith("libtorch failed: ")
                .hasMessageNotContaining("\n");
    }

    @Test
    void ourOwnExceptionsPassUnchanged() {
        assertThatThrownBy(() -> Scope.run(() -> {
                    throw new BadConfiguration("no");
                }))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage("no");
    }

    @Test
    void refusesDevicesThatAreNotThere() {
        assertThatCode(() -> Engine.requireDevice("cpu")).doesNotThrowAnyException();
        assertThatThrownBy(() -> Engine.requireDevice("cuda"))
                .isInstanceOf(BadConfiguration.class)
                .hasMessageStartingWith("device 'cuda' is not available");
        assertThatThrownBy(() -> Engine.requireDevice("tpu"))
                .hasMessage("there is no device 'tpu'; there are cpu and cuda");
    }

    @Test
    void keptTensorsOutliveTheirScope() {
        float[] values = Scope.run(() ->
                Scope.keep(() -> Tensor.of(new float[] {1, 2}, 2).times(2)).toFloats());

        assertThat(values).containsExactly(2, 4);
    }

    @Test
    void rangesCoverEverythingOnce() {
        for (long size : new long[] {0, 1, 15, 16, 17, 1000}) {
            AtomicIntegerArray seen = new AtomicIntegerArray((int) size);
            Parallel.ranges(size, 16, (from, to) -> {
                for (long i = from; i < to; i++) {
                    seen.incrementAndGet((int) i);
                }
            });
            for (int i = 0; i < size; i++) {
                assertThat(seen.get(i)).isOne();
            }
        }
    }

    @Test
    void tasksSideBySideRunOnceEachAndFailTogether() {
        AtomicIntegerArray seen = new AtomicIntegerArray(20);
        int threads = Engine.threads();
        Parallel.sideBySide(20, task -> {
            assertThat(Engine.threads()).isOne();
            seen.incrementAndGet(task);
        });
        for (int i = 0; i < 20; i++) {
            assertThat(seen.get(i)).isOne();
        }
        assertThat(Engine.threads()).isEqualTo(threads);
        assertThatThrownBy(() -> Parallel.sideBySide(5, task -> {
                    throw new BadConfiguration("task " + task);
                }))
                .isInstanceOf(BadConfiguration.class);
        assertThat(Engine.threads()).isEqualTo(threads);
    }

    /** The memory that tasks work on is freed after the call: none may still run then. */
    @Test
    void aFailingTaskDoesNotLeaveOthersBehind() {
        AtomicIntegerArray running = new AtomicIntegerArray(1);
        assertThatThrownBy(() -> Parallel.sideBySide(2, task -> {
                    running.incrementAndGet(0);
                    try {
                        if (task == 0) {
                            throw new BadConfiguration("first");
                        }
                        Thread.sleep(100);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    } finally {
                        running.decrementAndGet(0);
                    }
                }))
                .isInstanceOf(BadConfiguration.class);
        assertThat(running.get(0)).isZero();
    }

    @Test
    void emptyTensorsAreFine() {
        assertThat(Scope.run(() -> Tensor.of(new float[0], 0).toFloats())).isEmpty();
        assertThat(Scope.run(() -> Tensor.of(new double[0], 0).toDoubles())).isEmpty();
    }

    @Test
    void smallestPerRowEqualsSorting() {
        SmallestPerRow smallest = new SmallestPerRow(2, 3);
        Scope.run(() -> {
            smallest.add(Tensor.of(new float[] {5, 3, 9, 2, 8, 0}, 2, 3), new int[] {0, 1}, 0);
            smallest.add(Tensor.of(new float[] {1, 7, 2, 4, 6, 6}, 2, 3), new int[] {0, 1}, 3);
        });
        assertThat(new float[] {smallest.value(0, 0), smallest.value(0, 1), smallest.value(0, 2)})
                .containsExactly(1, 2, 3);
        assertThat(new int[] {smallest.column(0, 0), smallest.column(0, 1), smallest.column(0, 2)})
                .containsExactly(3, 5, 1);
        assertThat(new float[] {smallest.value(1, 0), smallest.value(1, 1), smallest.value(1, 2)})
                .containsExactly(0, 2, 4);
    }
}
