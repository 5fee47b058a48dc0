// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.io.array.Npy;
import dev.nescio.io.data.DataSet;
import dev.nescio.io.data.DataSets;
import dev.nescio.io.graph.GraphFile;
import dev.nescio.matrix.NdArray;
import dev.nescio.shift.Shifts;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The one graph of the paper that is not at hand: a smaller file of the same layout goes the same way. */
class RomanEmpireTest {

    private static final int NODES = 600;
    private static final int FEATURES = 300;
    private static final int CLASSES = 18;
    private static final int SPLITS = 10;

    @TempDir
    Path folder;

    /** Layout of the published file: each undirected edge once, ten stored splits of 50, 25 and 25 %. */
    private Path standIn() {
        Random random = new Random(1);
        float[] features = new float[NODES * FEATURES];
        int[] labels = new int[NODES];
        for (int v = 0; v < NODES; v++) {
            labels[v] = v % CLASSES;
            for (int j = 0; j < FEATURES; j++) {
                features[v * FEATURES + j] = (float) (random.nextGaussian() + (j % CLASSES == labels[v] ? 2 : 0));
            }
        }
        int[] edges = new int[2 * (NODES - 1)];
        for (int v = 1; v < NODES; v++) {
            edges[2 * v - 2] = v - 1;
            edges[2 * v - 1] = v;
        }
        boolean[][] masks = new boolean[3][SPLITS * NODES];
        for (int split = 0; split < SPLITS; split++) {
            for (int v = 0; v < NODES; v++) {
                int part = new int[] {0, 1, 0, 2}[(v / CLASSES + split) % 4];
                masks[part][split * NODES + v] = true;
            }
        }
        Path file = folder.resolve("roman_empire.npz");
        int[] shape = {SPLITS, NODES};
        Npy.writeAll(
                file,
                Map.of(
                        "node_features",
                        new NdArray.Floats(new int[] {NODES, FEATURES}, features),
                        "node_labels",
                        NdArray.of(labels),
                        "edges",
                        new NdArray.Ints(new int[] {NODES - 1, 2}, edges),
                        "train_masks",
                        new NdArray.Booleans(shape, masks[0]),
                        "val_masks",
                        new NdArray.Booleans(shape, masks[1]),
                        "test_masks",
                        new NdArray.Booleans(shape, masks[2])));
        return file;
    }

    @Test
    void theStudyOfThePaperRunsOnAFileOfItsLayout() {
        DataSet set = DataSets.named("roman_empire");
        StudyGraph graph = StudyGraph.of(set, GraphFile.read(standIn()));
        String yaml = """
                splits: 1
                members: 2
                passes: 2
                hidden: 16
                epochs: 20
                shifts: [clean, leave-out, near, far]
                data: [roman_empire]
                models:
                  - {name: res-gcn, estimators: [ensemble, mcd, ebm, gnnsafe, gebm, jlde, jlde-relative]}
                  - {name: gpn, estimators: [evidential]}
                """;
        Path results = folder.resolve("results");
        new Runner(StudyFile.parse(yaml, "study"), name -> graph, results).run((done, all, share) -> {});
        List<Row> rows = Store.open(results).rows();

        assertThat(graph.leftOut()).containsExactly(11, 12, 13, 14, 15, 16, 17);
        assertThat(graph.split(9).train().size()).isBetween(NODES * 2 / 5, NODES * 3 / 5);
        assertThat(rows).hasSize(4 * 8);
        assertThat(rows.stream().filter(row -> row.cell().shift() != Shifts.CLEAN))
                .allSatisfy(row -> assertThat(row.get("auc_roc")).isBetween(0.0, 1.0));
        assertThat(StudyFile.read("paper").data()).anyMatch(data -> data.name().equals(set.name()));
    }
}
