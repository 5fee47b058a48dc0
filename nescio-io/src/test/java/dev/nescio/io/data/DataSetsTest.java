// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.graph.split.HalvingSplit;
import dev.nescio.problem.BadConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DataSetsTest {

    @Test
    void namesAndFilesAreUnique() {
        assertThat(DataSets.all()).extracting(DataSet::name).doesNotHaveDuplicates();
        assertThat(DataSets.all())
                .allMatch(
                        set -> new HashSet<>(set.files()).size() == set.files().size());
        assertThatThrownBy(() -> DataSets.named("cora"))
                .isInstanceOf(BadConfiguration.class)
                .hasMessageContaining("cora_ml");
    }

    /** The share of nodes in left-out classes, as in the paper's table. */
    @ParameterizedTest
    @CsvSource({
        "cora_ml, 0.45",
        "pubmed, 0.40",
        "chameleon, 0.42",
        "squirrel, 0.57",
        "amazon_ratings_cut, 0.13",
    })
    void leavesOutTheClassesOfThePaper(String name, double share) {
        Path root = Path.of("../../shared/datasets");
        assumeTrue(Files.isDirectory(root), () -> "skipped: " + root + " is not there");
        DataSet set = DataSets.named(name);
        Graph graph = new DataFolder(root).read(set);
        DataSet.LeaveOut rule = set.leaveOut();

        assertThat(set.size().fits(graph)).isTrue();
        assertThat(rule).isNotNull();
        double leftOut = 0;
        for (int v = 0; v < graph.nodes(); v++) {
            leftOut += rule.of(graph).contains(graph.label(v)) ? 1 : 0;
        }
        assertThat(Math.round(100 * leftOut / graph.nodes()) / 100.0).isEqualTo(share);
    }

    /** The masks of this file were made by the rule of the published ones. */
    @Test
    void theRuleGivesTheStoredSplits() {
        Path root = Path.of("../../shared/datasets");
        assumeTrue(Files.isDirectory(root), () -> "skipped: " + root + " is not there");
        Graph graph = new DataFolder(root).read(DataSets.named("amazon_ratings_cut"));

        for (int seed = 0; seed < 10; seed++) {
            Split drawn = new HalvingSplit().draw(graph, seed);
            Split stored = graph.split("" + seed);
            assertThat(stored.with(drawn.train(), drawn.validation(), drawn.test()))
                    .isEqualTo(stored);
        }
    }
}
