// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LayerTableTest {

    @Test
    void linesHoldMediansAndRatios() {
        LayerTable table = new LayerTable();
        table.add(
                4,
                List.of(
                        new ShuffleMeter.Step("ours, plans", 90, 1),
                        new ShuffleMeter.Step("ours, gcn, layer 1", 3, 750_000_000),
                        new ShuffleMeter.Step("ours, gcn, layer 2", 2, 760_000_000),
                        new ShuffleMeter.Step("ours, gcn, layer 3", 9, 760_000_000)));
        table.add(
                4,
                List.of(
                        new ShuffleMeter.Step("GraphX, layer 1", 12, 1_000_000_000),
                        new ShuffleMeter.Step("GraphX, layer 2", 15, 1_000_000_000)));
        table.add(16, List.of(new ShuffleMeter.Step("Datasets, layer 1", 40, 2_000_000_000)));
        assertThat(table.text().lines().skip(2))
                .containsExactly(
                        "| ours, gcn | 4 | 3.0, 2.0, 9.0 | 3.0 s | 0.76 GB | 1.0 |",
                        "| GraphX | 4 | 12.0, 15.0 | 13.5 s | 1.00 GB | 4.5 |",
                        "| Datasets | 16 | 40.0 | 40.0 s | 2.00 GB |  |");
    }
}
