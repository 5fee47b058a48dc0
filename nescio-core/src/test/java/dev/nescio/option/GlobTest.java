// SPDX-License-Identifier: Apache-2.0
package dev.nescio.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class GlobTest {

    @Test
    void agreesWithRegularExpressions() {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            String pattern = word(random, "ab*?", 7);
            String text = word(random, "ab", 9);
            String regex = pattern.replace("*", ".*").replace("?", ".");

            assertThat(Glob.matches(pattern, text))
                    .as(pattern + " and " + text)
                    .isEqualTo(Pattern.matches(regex, text));
        }
    }

    private static String word(Random random, String letters, int longest) {
        StringBuilder word = new StringBuilder();
        for (int i = random.nextInt(longest + 1); i > 0; i--) {
            word.append(letters.charAt(random.nextInt(letters.length())));
        }
        return word.toString();
    }

    @Test
    void manyStarsCostNothing() {
        String pattern = "*a".repeat(200) + "b";
        String text = "a".repeat(20_000);

        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> assertThat(Glob.matches(pattern, text))
                .isFalse());
    }
}
