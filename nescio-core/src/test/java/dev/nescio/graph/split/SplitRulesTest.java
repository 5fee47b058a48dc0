// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.problem.BadConfiguration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every rule in the registry promises, and what users may write. */
class SplitRulesTest {

    private final Graph plain = HalvingSplitTest.graph(
            IntStream.range(0, 300).map(v -> v < 100 ? 0 : 1).toArray(), 2);

    @ParameterizedTest
    @MethodSource("dev.nescio.graph.split.SplitRules#all")
    void everySetHasNodesOfEveryClassAndTheSeedDecides(SplitRule rule) {
        Split split = rule.draw(plain, 3);

        assertThat(split.name()).isEqualTo(rule.name() + ":3");
        assertThat(rule.summary()).isNotBlank();
        assertThat(SplitRules.choose(plain, rule.name() + ":3"))
                .isEqualTo(split)
                .isEqualTo(rule.draw(plain, 3));
        assertThat(rule.draw(plain, 4).train()).isNotEqualTo(split.train());
        for (var nodes : List.of(split.train(), split.validation(), split.test())) {
            assertThat(nodes.stream().anyMatch(v -> v < 100)).isTrue();
            assertThat(nodes.stream().anyMatch(v -> v >= 100)).isTrue();
            assertThat(nodes.bound()).isLessThanOrEqualTo(300);
        }
        assertThat(split.train().intersects(split.validation())).isFalse();
        assertThat(split.train().intersects(split.test())).isFalse();
        assertThat(split.validation().intersects(split.test())).isFalse();
    }

    @Test
    void storedSplitsGoByTheirNamesAndASeedWillDoWhereThereAreNone() {
        Graph stored = BuiltinGraphs.make("blocks?nodes=100");

        assertThat(SplitRules.choose(stored, "3")).isEqualTo(stored.split("3"));
        assertThat(SplitRules.first(stored)).isEqualTo(stored.split("0"));
        assertThat(SplitRules.choose(plain, "5"))
                .isEqualTo(SplitRules.standard().draw(plain, 5));
        assertThat(SplitRules.forms()).isEqualTo("60/20/20:SEED, stratified:SEED, sequential:SEED or halving:SEED");
        assertThatThrownBy(() -> SplitRules.choose(stored, "77")).isInstanceOf(BadConfiguration.class);
        assertThatThrownBy(() -> SplitRules.choose(stored, "stratifed:0"))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage("there is no rule 'stratifed' for splits; did you mean 'stratified'? There are 60/20/20,"
                        + " stratified, sequential, halving");
        assertThatThrownBy(() -> SplitRules.choose(plain, "halving:x"))
                .hasMessage("expected a whole number after the colon in split 'halving:x', got 'x'");
    }

    @Test
    void rangesAreSpelledOut() {
        assertThat(SplitRules.names(List.of("0-2", "stratified:4-5", "planetoid")))
                .containsExactly("0", "1", "2", "stratified:4", "stratified:5", "planetoid");
        assertThatThrownBy(() -> SplitRules.names(List.of("5-1")))
                .hasMessage("'5-1' is not a range of splits: expected FROM-TO, both of at most 6 digits");
    }
}
