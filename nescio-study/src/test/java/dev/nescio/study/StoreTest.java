package dev.nescio.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.shift.Shifts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class StoreTest {

    @TempDir
    Path folder;

    private static Row row(String estimator, double auc) {
        Map<String, Double> measures = new HashMap<>();
        Measures.names().forEach(name -> measures.put(name, Double.NaN));
        measures.put("auc_roc", auc);
        return new Row(
                new Cell("cora_ml", "res-gcn", estimator, Shifts.FAR, "stratified:0", 0),
                measures,
                new Row.Provenance(1, 2, 3, 4, 0.5, 6, "options", "fingerprint", "version"));
    }

    @Test
    void whatGoesInComesOut() {
        Store store = Store.create(folder);
        Row row = row("jlde", 0.75);
        store.add(List.of(row), List.of(new Store.Bin(row.cell(), 3, 7, 0.5)));
        List<Store.Statistic> statistics = List.of(new Store.Statistic("cora_ml", "CoraML", "num_nodes", 0, 0, 2995));
        store.describe("cora_ml", statistics);
        store.describe("cora_ml", statistics);

        Store again = Store.open(folder);
        assertThat(again.rows()).containsExactly(row);
        assertThat(again.bins()).containsExactly(new Store.Bin(row.cell(), 3, 7, 0.5));
        assertThat(again.statistics()).isEqualTo(statistics);
    }

    @Test
    void aCellIsThereOnce() {
        Store store = Store.create(folder);
        store.add(
                List.of(row("jlde", 0.75)), List.of(new Store.Bin(row("jlde", 0).cell(), 3, 7, 0.5)));
        store.add(List.of(row("jlde", 0.8), row("ebm", 0.6)), List.of());

        assertThat(store.rows()).extracting(r -> r.get("auc_roc")).containsExactlyInAnyOrder(0.8, 0.6);
        assertThat(store.bins()).isEmpty();
    }

    @Test
    void exportsInThreeFormats() throws IOException {
        Store store = Store.create(folder);
        store.add(List.of(row("jlde", 0.75)), List.of());
        for (String ending : List.of("csv", "json", "parquet")) {
            store.export(folder.resolve("rows." + ending));
        }

        assertThat(Files.readAllLines(folder.resolve("rows.csv"))).hasSize(2);
        JsonNode json = JsonMapper.builder().build().readTree(Files.readString(folder.resolve("rows.json")));
        assertThat(json.size()).isEqualTo(1);
        assertThat(json.get(0).get("estimator").asString()).isEqualTo("jlde");
        assertThat(json.get(0).get("auc_roc").asDouble()).isEqualTo(0.75);
        assertThat(json.get(0).get("auc_pr").isNull()).isTrue();
        assertThat(Files.readAllBytes(folder.resolve("rows.parquet"))).startsWith('P', 'A', 'R', '1');
        assertThatThrownBy(() -> store.export(folder.resolve("rows.xls")))
                .isInstanceOf(BadConfiguration.class)
                .hasMessageContaining("should end in .csv, .json or .parquet");
    }

    @Test
    void otherFilesAreRefused() throws IOException {
        assertThatThrownBy(() -> Store.open(folder)).isInstanceOf(BadInput.class);
        Files.writeString(folder.resolve("results.duckdb"), "not a database".repeat(1000));
        assertThatThrownBy(() -> Store.open(folder).rows())
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("results.duckdb");
    }
}
