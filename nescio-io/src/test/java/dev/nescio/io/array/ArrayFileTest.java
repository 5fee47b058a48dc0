// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.io.file.AtomicFile;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.problem.BadInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

public class ArrayFileTest {

    private static final NdArray STATE = NdArray.of(DenseMatrix.of(2, 3, new float[] {1, 2, 3, 4, 5, 6}));

    @TempDir
    Path folder;

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    @Test
    void everyFormatSaysTheSame() throws IOException {
        Npy.write(folder.resolve("a.npy"), STATE);
        Npy.writeAll(folder.resolve("a.npz"), Map.of("z0", STATE, "z1", STATE));
        AtomicFile.write(folder.resolve("a.safetensors"), out -> Safetensors.write(out, Map.of("z0", STATE)));
        Files.writeString(folder.resolve("a.csv"), "x,y,z\n1,2,3\n4,5,6\n");

        for (String source : List.of("a.npy", "a.npz:z1", "a.safetensors", "a.safetensors:z0", "a.csv")) {
            assertThat(ArrayFile.matrix(path(source)).values()).as(source).containsExactly(1, 2, 3, 4, 5, 6);
        }
        assertThat(ArrayFile.matrices(List.of(path("a.npz"), path("a.npy")))).hasSize(3);
        assertThatThrownBy(() -> ArrayFile.matrix(path("a.npz")))
                .isInstanceOf(BadInput.class)
                .hasMessageEndingWith("a.npz holds 2 arrays; name one of them as FILE:NAME");
        assertThatThrownBy(() -> ArrayFile.matrix(path("a.npz:z7")))
                .isInstanceOf(BadInput.class)
                .hasMessageEndingWith("a.npz has no array 'z7'; it has z0, z1");
        assertThatThrownBy(() -> ArrayFile.matrix(path("a.txt")))
                .isInstanceOf(BadInput.class)
                .hasMessageEndingWith("a.txt does not exist or is not a file");
    }

    @Test
    void nodesAreAMaskOrNumbers() {
        Npy.write(
                folder.resolve("mask.npy"),
                new NdArray.Booleans(new int[] {4}, new boolean[] {true, false, true, false}));
        Npy.write(folder.resolve("numbers.npy"), NdArray.of(3, 1));

        assertThat(ArrayFile.nodes(path("mask.npy"), 4).toArray()).containsExactly(0, 2);
        assertThat(ArrayFile.nodes(path("numbers.npy"), 4).toArray()).containsExactly(1, 3);
        assertThatThrownBy(() -> ArrayFile.nodes(path("numbers.npy"), 3))
                .isInstanceOf(BadInput.class)
                .hasMessageEndingWith(
                        "numbers.npy names node 3, but node numbers go from 0 to 2; a mask would have 3 entries, all 0 or 1");
    }

    @Test
    void halves() {
        assertThat(Half.ofIeee((short) 0x3c00)).isEqualTo(1);
        assertThat(Half.ofIeee((short) 0xc000)).isEqualTo(-2);
        assertThat(Half.ofIeee((short) 0x7bff)).isEqualTo(65504);
        assertThat(Half.ofIeee((short) 0x0001)).isEqualTo(0x1p-24f);
        assertThat(Half.ofIeee((short) 0x8000)).isEqualTo(-0f);
        assertThat(Half.ofIeee((short) 0xfc00)).isEqualTo(Float.NEGATIVE_INFINITY);
        assertThat(Half.ofBrain((short) 0x3fc0)).isEqualTo(1.5f);
    }
}
