// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IdOrderTest {

    private static final List<String> SORTED = List.of(
            "",
            " 1",
            "-1",
            "-2",
            "0",
            "00",
            "01",
            "1",
            "1a",
            "1a2",
            "1a10",
            "2",
            "10",
            "0010a",
            "99999999999999999999998",
            "99999999999999999999999",
            "100000000000000000000000",
            "A2",
            "A10",
            "node 2",
            "node 10",
            "node 10b",
            "é2",
            "κόμβος 3",
            "узел 20",
            "узел 100");

    @Test
    void numbersCountAsNumbers() {
        List<String> shuffled = new ArrayList<>(SORTED);
        for (int seed = 0; seed < 20; seed++) {
            Collections.shuffle(shuffled, new Random(seed));
            shuffled.sort(IdOrder.BY_NUMBER);
            assertThat(shuffled).containsExactlyElementsOf(SORTED);
        }
    }

    @Test
    void isAnOrderOfAllTexts() {
        Random random = new Random(3);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(5); length > 0; length--) {
                text.append("0019a/:".charAt(random.nextInt(7)));
            }
            texts.add(text.toString());
        }
        for (String a : texts) {
            for (String b : texts) {
                int order = IdOrder.BY_NUMBER.compare(a, b);
                assertThat(order == 0).isEqualTo(a.equals(b));
                assertThat(Integer.signum(IdOrder.BY_NUMBER.compare(b, a))).isEqualTo(-Integer.signum(order));
                for (String c : texts) {
                    if (order < 0 && IdOrder.BY_NUMBER.compare(b, c) < 0) {
                        assertThat(IdOrder.BY_NUMBER.compare(a, c))
                                .as(a + ", " + b + ", " + c)
                                .isNegative();
                    }
                }
            }
        }
    }
}
