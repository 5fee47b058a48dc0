// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.option.Key;
import dev.nescio.problem.BadInput;
import dev.nescio.shift.Shifts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImportTest {

    private static final List<Store.Statistic> STATISTICS =
            List.of(new Store.Statistic("cora_ml", "CoraML", "num_nodes", 0, 0, 2995));

    @TempDir
    Path folder;

    private Path from;
    private Path to;

    @BeforeEach
    void names() {
        from = folder.resolve("from");
        to = folder.resolve("to");
    }

    private static Row row(int split, double auc, String options, String fingerprint) {
        Map<String, Double> measures = new HashMap<>();
        Measures.names().forEach(name -> measures.put(name, Double.NaN));
        measures.put("auc_roc", auc);
        return new Row(
                new Cell("cora_ml", "res-gcn", "jlde", Shifts.FAR, "stratified:" + split, 0),
                measures,
                new Row.Provenance(
                        0.1 + split, 2, 3, 4, 1.0 / 3, split, Key.parse(options), fingerprint, "nescio 1, x"));
    }

    private static Row row(int split, double auc) {
        return row(split, auc, "model.hidden=8,training.seed=" + split, "same");
    }

    private static Store.Bin bin(Row row) {
        return new Store.Bin(row.cell(), 3, 7, 0.5);
    }

    private Path exported(String name, Row... rows) {
        Store store = Store.create(from);
        store.add(List.of(rows), List.of(bin(rows[0])));
        store.describe("cora_ml", STATISTICS);
        Path file = folder.resolve(name);
        store.export(file);
        return file;
    }

    @ParameterizedTest
    @ValueSource(strings = {"rows.csv", "rows.parquet"})
    void exportedRowsComeBackToTheLastBit(String name) {
        Row plain = row(1, 0.1 + 0.2, "", "same");
        Path file = exported(name, plain);

        assertThat(Import.into(to, file)).isEqualTo(new Import(1, 0));
        assertThat(Store.open(to).rows()).containsExactly(plain);
        assertThat(Store.open(to).bins()).isEmpty();
    }

    @Test
    void whatIsThereStays() {
        Path file = exported("rows.csv", row(0, 0.5), row(1, 0.75));
        Store.create(to).add(List.of(row(0, 0.25)), List.of(bin(row(0, 0))));

        assertThat(Import.into(to, file)).isEqualTo(new Import(1, 1));
        assertThat(Store.open(to).rows()).containsExactly(row(0, 0.25), row(1, 0.75));
        assertThat(Store.open(to).bins()).containsExactly(bin(row(0, 0)));
        assertThat(Import.into(to, file)).isEqualTo(new Import(0, 2));
    }

    @Test
    void anotherFolderHasBinsAndStatistics() {
        exported("rows.csv", row(0, 0.5), row(1, 0.75));

        Import.into(to, from);
        assertThat(Store.open(to).rows()).isEqualTo(Store.open(from).rows());
        assertThat(Store.open(to).bins()).containsExactly(bin(row(0, 0)));
        assertThat(Store.open(to).statistics()).isEqualTo(STATISTICS);
    }

    @ParameterizedTest
    @CsvSource({"model.hidden=16, same", "model.hidden=8, other"})
    void rowsOfOneLineAreMadeInOneWay(String options, String fingerprint) {
        Path file = exported("rows.csv", row(0, 0.5), row(1, 0.75, options, fingerprint));
        assertThatThrownBy(() -> Import.into(to, file))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("cora_ml res-gcn jlde far were made in different ways");

        Path alone = folder.resolve("alone");
        Store.create(alone).add(List.of(row(1, 0.75, options, fingerprint)), List.of());
        Store.create(to).add(List.of(row(0, 0.5)), List.of());
        assertThatThrownBy(() -> Import.into(to, alone)).isInstanceOf(BadInput.class);
        assertThat(Store.open(to).rows()).containsExactly(row(0, 0.5));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "res-gcn | res-gcm | column 'model': 'res-gcm' is not known here",
                ",jlde, | ,jlda, | column 'estimator': 'jlda' is not known here",
                ",far, | ,farther, | column 'shift': 'farther' is not known here",
                "model.hidden=8 | model.width=8 | is not known here: res-gcn has no option 'width'",
                "model.hidden=8 | model.hidden=-8 | column 'options'",
                "model.hidden=8 | hidden=8 | there are no options of ''",
                "model.hidden=8 | graph.hidden=8 | there are no options of 'graph'",
                "model.hidden=8 | hidden | has no value",
                "brier_squared | brier_cubed | has a column 'brier_cubed', which rows of a study do not have",
                "fingerprint,version | fingerprint,vision | has a column 'vision'",
                ",same, | ,, | column 'fingerprint': nothing is missing",
                "0.1,2.0 | -1,2.0 | column 'seconds_train': '-1' is not a time",
                ",0.5, | ,half, | column 'auc_roc': 'half' is not a number"
            })
    void whatIsNotKnownIsRefused(String old, String with, String message) throws IOException {
        Path file = exported("rows.csv", row(0, 0.5));
        String text = Files.readString(file);
        assertThat(text).contains(old);
        Files.writeString(file, text.replaceFirst(Pattern.quote(old), with));

        assertThatThrownBy(() -> Import.into(to, file))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining(message);
        assertThat(to).doesNotExist();
    }

    @Test
    void aMissingColumnAndACellThatIsThereTwiceAreRefused() throws IOException {
        Path file = exported("rows.csv", row(0, 0.5));
        List<String> lines = Files.readAllLines(file);
        Files.write(file, List.of(lines.get(0), lines.get(1), lines.get(1)));
        assertThatThrownBy(() -> Import.into(to, file))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("line 3: this cell was there before");

        Files.write(
                file,
                lines.stream()
                        .map(line -> line.substring(line.indexOf(',') + 1))
                        .toList());
        assertThatThrownBy(() -> Import.into(to, file))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("has no column 'data'");
    }
}
