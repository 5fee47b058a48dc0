// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.io.data.DataFolder;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.option.Key;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.shift.Shifts;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class StoreTest {

    @TempDir
    Path folder;

    static Row row(String estimator, double auc) {
        Map<String, Double> measures = new HashMap<>();
        Measures.names().forEach(name -> measures.put(name, Double.NaN));
        measures.put("auc_roc", auc);
        return new Row(
                new Cell("cora_ml", "res-gcn", estimator, Shifts.FAR, "stratified:0", 0),
                measures,
                new Row.Provenance(1, 2, 3, 4, 0.5, 6, Key.parse("model.hidden=8"), "fingerprint", "version"));
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

    /** A store that knew fewer measures failed with "Could not find column". */
    @Test
    void aMeasureThatAnOlderVersionDidNotKnowIsNotANumber() throws SQLException {
        Store.create(folder).add(List.of(row("jlde", 0.75)), List.of());
        sql("ALTER TABLE results DROP COLUMN brier");

        assertThat(Store.open(folder).rows()).containsExactly(row("jlde", 0.75));
        Store.open(folder).export(folder.resolve("rows.csv"));
        Store again = Store.create(folder);
        again.add(List.of(row("ebm", 0.5)), List.of());
        assertThat(again.rows()).extracting(r -> r.get("auc_roc")).containsExactlyInAnyOrder(0.75, 0.5);
    }

    @Test
    void columnsOfANewerVersionDoNoHarm() throws SQLException {
        Store.create(folder).add(List.of(row("jlde", 0.75)), List.of());
        sql("ALTER TABLE results ADD COLUMN later DOUBLE");

        Store again = Store.create(folder);
        again.add(List.of(row("jlde", 0.8)), List.of());
        assertThat(again.rows()).containsExactly(row("jlde", 0.8));
    }

    @Test
    void aNewerFormatIsRefusedWithBothVersions() throws SQLException {
        Store.create(folder);
        sql("UPDATE meta SET format = 9, nescio = '7.0'");

        assertThatThrownBy(() -> Store.open(folder))
                .isInstanceOf(BadInput.class)
                .hasMessage(folder.resolve("results.duckdb")
                        + " was written by Nescio 7.0 in format 9; this is Nescio " + DetectorFile.version()
                        + ", which reads formats 1 to 2");
        assertThatThrownBy(() -> Store.create(folder)).isInstanceOf(BadInput.class);
    }

    /** A table that this program has not made is not the user's fault: an internal error, with exit code 1. */
    @Test
    void queriesThatFailAreOurFault() throws SQLException {
        Store.create(folder);
        sql("DROP TABLE bins");

        assertThatThrownBy(() -> Store.open(folder).bins())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("a query of the results failed: ");
    }

    private void sql(String statement) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + folder.resolve("results.duckdb"));
                Statement work = connection.createStatement()) {
            work.execute(statement);
        }
    }

    /** A store of the last version of format 1: its study is complete, its numbers are what they were. */
    @Test
    void formatOneIsStillGood() throws IOException {
        Path old = Files.createDirectory(folder.resolve("old"));
        try (InputStream in = new GZIPInputStream(StoreTest.class.getResourceAsStream("/format-1/results.duckdb.gz"))) {
            Files.write(old.resolve("results.duckdb"), in.readAllBytes());
        }
        Study study;
        List<String> expected;
        try (InputStream yaml = StoreTest.class.getResourceAsStream("/format-1/tiny.yaml");
                InputStream csv = StoreTest.class.getResourceAsStream("/format-1/tiny.csv")) {
            study = StudyFile.parse(new String(yaml.readAllBytes(), StandardCharsets.UTF_8), "tiny.yaml");
            expected = new String(csv.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
        List<Row> before = Store.open(old).rows();

        assertThat(before).hasSize(expected.size() - 1);
        assertThat(before.stream().map(row -> row.cell().estimator()))
                .contains("jlde:states=0", "jlde:states=0|-1", "jlde:separate=true", "ensemble");
        assertThat(before.get(0).get("errors_auc_roc")).isEqualTo(0.5681818181818181);
        Runner runner = new Runner(study, new DataFolder(folder), old);
        assertThat(runner.plan()).isEqualTo(new Runner.Plan(0, 0, 0, 82, 0));
        runner.run((done, all, share) -> {});
        assertThat(Store.open(old).rows()).containsExactlyInAnyOrderElementsOf(before);
        assertThat(new Runner(study, new DataFolder(folder), old).plan().cells())
                .isZero();
    }

    /** What a version that was stopped at its first write has left: a database without any table. */
    @Test
    void aStoreWithoutTablesIsMadeWhole() throws IOException, SQLException {
        Path unfinished = Files.createDirectories(folder.resolve("unfinished"));
        DriverManager.getConnection("jdbc:duckdb:" + unfinished.resolve("results.duckdb"))
                .close();

        assertThat(Store.create(unfinished).rows()).isEmpty();
        assertThat(Store.open(unfinished).rows()).isEmpty();
    }

    /** DuckDB takes what follows a question mark for something else and looks for its log under another name. */
    @Test
    void aQuestionMarkIsRefused() {
        assertThatThrownBy(() -> Store.create(folder.resolve("a?b")))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage(folder.resolve("a?b") + ": the path of a study must not contain '?'");
    }

    /** Names that a URL or DuckDB itself would take for something else. */
    @ParameterizedTest
    @ValueSource(strings = {"a;b", ":memory:", "~", "md:x", "sqlite:x", "it's", "\u00e9t\u00e9 %20"})
    void aFolderMayHaveAnyName(String name) throws IOException {
        Path place = folder.resolve(name);
        Store.create(place);

        assertThat(place.resolve("results.duckdb")).isRegularFile();
        assertThat(Store.open(place).rows()).isEmpty();
        Store.open(place).export(place.resolve("rows.csv"));
        assertThat(place.resolve("rows.csv")).isRegularFile();
        try (Stream<Path> files = Files.list(place)) {
            assertThat(files).hasSize(2);
        }
    }
}
