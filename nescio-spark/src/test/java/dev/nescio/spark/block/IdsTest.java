// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.problem.BadConfiguration;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/** Tables and orders of ids without boxes. */
class IdsTest {

    private static List<String> shuffled(int count) {
        List<String> ids = new ArrayList<>(
                IntStream.range(0, count).mapToObj(i -> "node " + i).toList());
        Collections.shuffle(ids, new Random(count));
        return ids;
    }

    @Test
    void numbersAreGivenAsIdsCome() {
        for (int count : List.of(0, 1, 2, 3, 1000)) {
            List<String> ids = shuffled(count);
            Ids table = new Ids();
            for (int round = 0; round < 2; round++) {
                for (int i = 0; i < count; i++) {
                    assertThat(table.add(ids.get(i))).isEqualTo(i);
                }
            }
            assertThat(table.all()).containsExactlyElementsOf(ids);
            Ids same = new Ids(ids.toArray(String[]::new));
            for (int i = 0; i < count; i++) {
                assertThat(table.number(ids.get(i))).isEqualTo(i);
                assertThat(same.number(ids.get(i))).isEqualTo(i);
            }
            assertThat(table.number("nobody")).isEqualTo(-1);
            assertThat(same.number("nobody")).isEqualTo(-1);
        }
    }

    @Test
    void ranksAreThoseOfSortedIds() {
        for (int count : List.of(0, 1, 2, 3, 7, 1000)) {
            List<String> ids = shuffled(count);
            // Two parts, each in its order, as blocks have them.
            ids.subList(0, count / 2).sort(IdOrder.BY_NUMBER);
            ids.subList(count / 2, count).sort(IdOrder.BY_NUMBER);
            List<String> sorted = ids.stream().sorted(IdOrder.BY_NUMBER).toList();
            for (List<String> some : List.of(ids, shuffled(count), sorted)) {
                ByRank ranks = ByRank.of(some.toArray(String[]::new));
                assertThat(IntStream.range(0, count).mapToObj(rank -> some.get(ranks.row(rank))))
                        .containsExactlyElementsOf(sorted);
                assertThat(IntStream.range(0, count).map(row -> ranks.row(ranks.of(row))))
                        .containsExactlyElementsOf(
                                IntStream.range(0, count).boxed().toList());
            }
        }
    }

    /** 2.2 thousand million numbers are more than an array can hold; only one node has many that are not 0. */
    @Test
    void aBlockThatIsTooLargeIsRefused() throws IOException {
        int width = 1 << 20;
        float[] ones = new float[width];
        Arrays.fill(ones, 1);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream to = new DataOutputStream(bytes);
        new Node("node 0", ones, 0, width).write(to);
        for (int i = 1; i < 2100; i++) {
            Chunks.writeText("node " + i, to);
            to.writeInt(0);
        }
        List<Tuple2<Integer, byte[]>> chunks = List.of(new Tuple2<>(0, bytes.toByteArray()));
        assertThatThrownBy(() -> NodeBlock.read(chunks.iterator(), width))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage("a block holds 2,100 x 1,048,576 numbers, more than 2,147,483,639;"
                        + " more blocks are smaller (--blocks)");
    }
}
