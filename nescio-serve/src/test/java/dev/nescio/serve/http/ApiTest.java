// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/srv/data of ours/nodes.csv, line 3 has 2 fields | nodes.csv, line 3 has 2 fields",
                "/data/x.csv: it is not text | x.csv: it is not text",
                "cannot read /a/b/c.npz | cannot read c.npz",
                "'/a/b' is not a file | 'b' is not a file",
                "C:\\Users\\ada\\nodes.csv is empty | nodes.csv is empty",
                "work/detectors/1f.nescio cannot be written | 1f.nescio cannot be written",
                "../data/nodes.csv, line 3 has 2 fields | nodes.csv, line 3 has 2 fields",
                "and/or 3/4 of features | and/or 3/4 of features",
                "node a/b/c is unknown | node a/b/c is unknown",
            })
    void aMessageNamesNoPlaceOnTheMachine(String message, String told) {
        assertThat(Api.withoutPaths(message)).isEqualTo(told);
    }
}
