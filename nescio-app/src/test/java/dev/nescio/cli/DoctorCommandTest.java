// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.study.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorCommandTest {

    @TempDir
    Path folder;

    @Test
    void looksAtTheMachineDetectorsAndStudies() throws IOException {
        Path model = folder.resolve("model");
        Cli.run("train", "builtin:blocks?nodes=60", "--epochs", "2", "--hidden", "4", "--out", model.toString());
        Path study = folder.resolve("study");
        Store.create(study);
        Cli well = Cli.run("doctor", model.toString(), study.toString());

        assertThat(well.out())
                .contains(
                        "Java",
                        "memory",
                        "libtorch",
                        "temporary files",
                        "DuckDB v",
                        "ONNX Runtime 1",
                        "res-gcn for 5 classes; all checksums are right; format 4, written by Nescio ")
                .contains("study: 0 results; format 2, written by Nescio ")
                .doesNotContain("WRONG");
        assertThat(well.exit()).isZero();

        Path parameters = model.resolve("parameters.safetensors");
        byte[] bytes = Files.readAllBytes(parameters);
        bytes[bytes.length - 3] ^= 1;
        Files.write(parameters, bytes);
        Cli ill = Cli.run("doctor", model.toString(), folder.resolve("nothing").toString());
        assertThat(ill.exit()).isEqualTo(2);
        assertThat(ill.out())
                .containsPattern("WRONG +file +" + model + ".*checksum is wrong")
                .containsPattern("WRONG +file +.*nothing does not exist");
    }

    @Test
    void packedGraphsAreReadAsAWhole() throws IOException {
        Path file = folder.resolve("g.npk");
        assertThat(Cli.run("pack", "builtin:blocks?nodes=60", "--out", file.toString())
                        .exit())
                .isZero();
        Cli well = Cli.run("doctor", file.toString());
        assertThat(well.out()).contains("60 nodes with ", "; all checksums are right");
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        Cli ill = Cli.run("doctor", file.toString());
        assertThat(ill.exit()).isEqualTo(2);
        assertThat(ill.out()).containsPattern("WRONG +file +" + file);
    }

    /** A file is written to find out: rights alone do not tell. */
    @Test
    void aPlaceWhereNothingCanBeWrittenIsFound() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "precious");
        String before = System.getProperty("java.io.tmpdir");
        System.setProperty("java.io.tmpdir", file.resolve("below").toString());
        Cli ill;
        try {
            ill = Cli.run("doctor");
        } finally {
            System.setProperty("java.io.tmpdir", before);
        }

        assertThat(ill.exit()).isEqualTo(2);
        assertThat(ill.out()).containsPattern("WRONG +temporary files +.*cannot be written: file is not a folder");
        assertThat(file).hasContent("precious");
    }
}
