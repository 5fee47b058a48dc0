// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

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

    /** A statement that the database does not understand: an internal error, with exit code 1. */
    @Test
    void queriesThatFailAreOurFault() {
        Store.create(folder);

        assertThatThrownBy(() -> new Database(folder.resolve("results.duckdb"))
                        .query("results", "SELECT nothing FROM results", result -> 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("a query of the results failed: ");
    }

    /** Somebody else's file: its views and macros would read other files of whoever looks at it. */
    @Test
    void viewsAndMacrosAreRefused() throws IOException, SQLException {
        Path secret = Files.writeString(folder.resolve("secret.txt"), "precious");
        String read = "SELECT content FROM read_text('" + secret + "')";
        Store.create(folder);
        sql("CREATE TABLE kept AS FROM results", "DROP TABLE results");
        sql("CREATE VIEW results AS SELECT * REPLACE ((" + read + ") AS data) FROM kept");
        assertThatThrownBy(() -> Store.open(folder))
                .isInstanceOf(BadInput.class)
                .hasMessage(folder.resolve("results.duckdb") + " is no store of a study: 'results' is not a table");
        assertThatThrownBy(() -> Store.create(folder)).isInstanceOf(BadInput.class);

        sql("DROP VIEW results", "ALTER TABLE kept RENAME TO results");
        sql("CREATE MACRO isnan(x) AS (" + read + ") IS NULL");
        assertThatThrownBy(() -> Store.open(folder).export(folder.resolve("rows.csv")))
                .isInstanceOf(BadInput.class)
                .hasMessage(folder.resolve("results.duckdb") + " is no store of a study: 'isnan' is not a table");
    }

    /** Whatever a store holds, a connection reads and writes no other file. */
    @Test
    void otherFilesAreOutOfReach() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret.txt"), "precious");
        Store.create(folder);
        Database database = new Database(folder.resolve("results.duckdb"));

        for (String sql : List.of(
                "SELECT content FROM read_text('" + secret + "')",
                "SELECT * FROM glob('" + folder + "/*')",
                "COPY results TO '" + folder.resolve("stolen.csv") + "'",
                "ATTACH '" + folder.resolve("other.duckdb") + "'",
                "SET enable_external_access = true",
                "SET autoload_known_extensions = true",
                "LOAD httpfs")) {
            assertThatThrownBy(() -> database.query("results", sql, result -> result.getString(1)))
                    .as(sql)
                    .isInstanceOf(RuntimeException.class);
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).hasSize(2);
        }
    }

    /** Somebody may look at results without being able to change them. Not tried as root, who may write everything. */
    @Test
    void aStoreThatCannotBeWrittenCanBeRead() {
        Path place = folder.resolve("shared");
        Store.create(place).add(List.of(row("jlde", 0.75)), List.of());
        Path file = place.resolve("results.duckdb");
        assertThat(file.toFile().setWritable(false)).isTrue();
        assertThat(place.toFile().setWritable(false)).isTrue();
        try {
            assumeFalse(Files.isWritable(file));
            assertThat(Store.open(place).rows()).containsExactly(row("jlde", 0.75));
            Store.open(place).export(folder.resolve("rows.csv"));
            assertThat(folder.resolve("rows.csv")).isRegularFile();
        } finally {
            assertThat(place.toFile().setWritable(true)).isTrue();
        }
    }

    /** Stores that somebody else has written, or an accident: one sentence each, and no trace. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "DROP TABLE bins|has no table 'bins'",
                "ALTER TABLE results DROP COLUMN seed|table 'results': there is no column 'seed'",
                "ALTER TABLE graphs ALTER i TYPE VARCHAR|table 'graphs': column 'i' holds VARCHAR, expected INTEGER",
                "ALTER TABLE meta DROP COLUMN format|table 'meta': there is no column 'format'",
                "UPDATE results SET options = NULL|row 1 of results: 'options' is missing",
                "UPDATE results SET options = 'hidden'|row 1 of results: its options are damaged",
                "UPDATE results SET model = ''|row 1 of results: 'model' is empty",
                "UPDATE results SET estimator = 'magic'|row 1 of results: there is no estimator 'magic'",
                "UPDATE results SET shift = 'sideways'|row 1 of results: there is no shift 'sideways'"
            })
    void aForeignStoreIsRefusedInASentence(String damage) throws SQLException {
        Store.create(folder).add(List.of(row("jlde", 0.75)), List.of());
        sql(damage.substring(0, damage.indexOf('|')));

        assertThatThrownBy(() -> Store.open(folder).rows())
                .isInstanceOf(BadInput.class)
                .hasMessageStartingWith(folder.resolve("results.duckdb").toString())
                .hasMessageContaining(damage.substring(damage.indexOf('|') + 1));
    }

    private void sql(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + folder.resolve("results.duckdb"));
                Statement work = connection.createStatement()) {
            for (String statement : statements) {
                work.execute(statement);
            }
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

        assertThat(Store.rowsIn(unfinished)).isEmpty();
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
