// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.io.graph.GraphFile;
import dev.nescio.matrix.NdArray;
import dev.nescio.problem.BadInput;
import dev.nescio.random.Rng;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

public class NpzTest {

    @TempDir
    Path folder;

    /** An npz with one array whose header and bytes are given. */
    static Path raw(Path file, String key, String header, byte[] data) throws IOException {
        try (OutputStream out = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.putNextEntry(new ZipEntry(key + ".npy"));
            byte[] text = header.getBytes(StandardCharsets.ISO_8859_1);
            zip.write(new byte[] {
                (byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (byte) text.length, (byte) (text.length >> 8)
            });
            zip.write(text);
            zip.write(data);
        }
        return file;
    }

    private static String header(String descr, String shape) {
        return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + shape + "), }\n";
    }

    @Test
    void readsBackWhatItWrites() {
        Map<String, NdArray> arrays = new LinkedHashMap<>();
        arrays.put("f", new NdArray.Floats(new int[] {2, 3}, new float[] {1, 2, 3, 4, 5, 6.5f}));
        arrays.put("d", NdArray.of(1.5, -2));
        arrays.put("i", new NdArray.Ints(new int[] {}, new int[] {7}));
        arrays.put("b", new NdArray.Booleans(new int[] {3}, new boolean[] {true, false, true}));
        Path file = folder.resolve("a.npz");
        Npy.writeAll(file, arrays);

        try (Npz npz = Npz.open(file)) {
            assertThat(npz.keys()).containsExactlyInAnyOrder("f", "d", "i", "b");
            assertThat(npz.floats("f").values()).containsExactly(1, 2, 3, 4, 5, 6.5f);
            assertThat(npz.floats("f").shape()).containsExactly(2, 3);
            assertThat(npz.doubles("d").values()).containsExactly(1.5, -2);
            assertThat(npz.ints("i").values()).containsExactly(7);
            assertThat(npz.booleans("b").values()).containsExactly(true, false, true);
        }
    }

    @Test
    void theSameArraysGiveTheSameBytes() throws IOException {
        Map<String, NdArray> arrays = Map.of("x", NdArray.of(1.0, 2.0));
        Npy.writeAll(folder.resolve("a.npz"), arrays);
        Npy.writeAll(folder.resolve("b.npz"), arrays);

        assertThat(folder.resolve("a.npz")).hasSameBinaryContentAs(folder.resolve("b.npz"));
    }

    @Test
    void singleArraysComeBack() {
        Path file = folder.resolve("a.npy");
        Npy.write(file, new NdArray.Floats(new int[] {2, 1}, new float[] {3, 4}));

        assertThat(Npy.readFloats(file).values()).containsExactly(3, 4);
    }

    @Test
    void readsOtherByteOrdersColumnOrderAndText() throws IOException {
        byte[] big = ByteBuffer.allocate(8)
                .putShort((short) 1)
                .putShort((short) 2)
                .putShort((short) 3)
                .putShort((short) -4)
                .array();
        Path file =
                raw(folder.resolve("a.npz"), "x", "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 2), }\n", big);
        try (Npz npz = Npz.open(file)) {
            assertThat(npz.ints("x").values()).containsExactly(1, 3, 2, -4);
        }
        byte[] text = ByteBuffer.allocate(16)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt('a')
                .putInt('b')
                .putInt('c')
                .putInt(0)
                .array();
        try (Npz npz = Npz.open(raw(folder.resolve("t.npz"), "names", header("<U2", "2,"), text))) {
            assertThat(npz.strings("names")).containsExactly("ab", "c");
        }
    }

    @Test
    void objectArraysAreNeverRead() throws IOException {
        try (Npz npz = Npz.open(raw(folder.resolve("a.npz"), "x", header("|O", ""), new byte[40]))) {
            assertThatThrownBy(() -> npz.ints("x"))
                    .isInstanceOf(BadInput.class)
                    .hasMessage(
                            folder.resolve("a.npz")
                                    + ": 'x' has dtype O8, expected whole numbers (object arrays are never read: they can execute code)");
        }
    }

    @Test
    void aHeaderCannotClaimMoreThanTheFileHolds() throws IOException {
        Path file = folder.resolve("a.npz");
        try (Npz npz = Npz.open(raw(file, "x", header("<f4", "1000000000000,"), new byte[8]))) {
            assertThatThrownBy(() -> npz.floats("x"))
                    .hasMessage(
                            file + ": 'x' claims an extent of 1000000000000; the limit is 2147483647 elements in all");
        }
        try (Npz npz = Npz.open(raw(file, "x", header("<f4", "60000, 60000"), new byte[8]))) {
            assertThatThrownBy(() -> npz.floats("x"))
                    .hasMessage(file + ": 'x' claims shape (60000, 60000), more than the limit of 2147483647 elements");
        }
        try (Npz npz = Npz.open(raw(file, "x", header("<f0", "2147483647"), new byte[8]))) {
            assertThatThrownBy(() -> npz.floats("x")).hasMessage(file + ": 'x' has elements of 0 bytes");
        }
        try (Npz npz = Npz.open(raw(file, "x", header("<f4", "1000000"), new byte[8]))) {
            assertThatThrownBy(() -> npz.floats("x"))
                    .hasMessageContaining("'x' claims 1000000 elements of 4 bytes, but the file holds at most");
        }
    }

    @Test
    void saysWhatIsWrongWithAFile() throws IOException {
        Path missing = folder.resolve("missing.npz");
        assertThatThrownBy(() -> Npz.open(missing))
                .isInstanceOf(BadInput.class)
                .hasMessage(missing + " does not exist");
        assertThatThrownBy(() -> Npz.open(folder)).hasMessage(folder + " is a directory, expected an npz file");
        Path text = Files.writeString(folder.resolve("text.npz"), "hello");
        assertThatThrownBy(() -> Npz.open(text)).hasMessageStartingWith(text + " is not an npz file or is cut off: ");

        Path whole = folder.resolve("whole.npz");
        Npy.writeAll(whole, Map.of("x", new NdArray.Floats(new int[] {5000}, new float[5000])));
        byte[] bytes = Files.readAllBytes(whole);
        Path cut = Files.write(folder.resolve("cut.npz"), Arrays.copyOf(bytes, bytes.length / 2));
        assertThatThrownBy(() -> Npz.open(cut)).hasMessageStartingWith(cut + " is not an npz file or is cut off: ");
        try (Npz npz = Npz.open(whole)) {
            assertThatThrownBy(() -> npz.ints("y")).hasMessage(whole + " has no array 'y'");
            assertThatThrownBy(() -> npz.ints("x")).hasMessage(whole + ": 'x' has dtype f4, expected whole numbers");
        }
        Path shortData = raw(folder.resolve("s.npz"), "x", header("<f8", "3,"), new byte[20]);
        try (Npz npz = Npz.open(shortData)) {
            assertThatThrownBy(() -> npz.doubles("x")).isInstanceOf(BadInput.class);
        }
        Path nonsense = raw(folder.resolve("n.npz"), "x", "nonsense\n", new byte[20]);
        try (Npz npz = Npz.open(nonsense)) {
            assertThatThrownBy(() -> npz.doubles("x"))
                    .hasMessage(nonsense + ": 'x' has a header that cannot be read: nonsense");
        }
        String key = "k".repeat(20_000);
        Path wordy = raw(folder.resolve("k.npz"), key, "non\nsense".repeat(5_000), new byte[20]);
        try (Npz npz = Npz.open(wordy)) {
            assertThatThrownBy(() -> npz.doubles(key))
                    .hasMessage(wordy + ": '" + "k".repeat(60) + "…' has a header that cannot be read: "
                            + "non sense".repeat(5_000).substring(0, 60) + "…");
            assertThatThrownBy(() -> GraphFile.read(wordy))
                    .isInstanceOf(BadInput.class)
                    .hasMessageEndingWith("but " + "k".repeat(60) + "…");
        }
        Path large = raw(
                folder.resolve("l.npz"),
                "x",
                header("<i8", "1,"),
                ByteBuffer.allocate(8)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(1L << 40)
                        .array());
        try (Npz npz = Npz.open(large)) {
            assertThatThrownBy(() -> npz.ints("x"))
                    .hasMessage(large + ": 'x' holds 1099511627776 at position 0; the limit is 2147483647");
        }
    }

    /** Random damage gives a clear refusal or an array, never another exception and never a lot of memory. */
    @Test
    void damagedFilesAreRefusedCleanly() throws IOException {
        Path whole = folder.resolve("whole.npz");
        Npy.writeAll(whole, Map.of("x", new NdArray.Floats(new int[] {50, 4}, new float[200])));
        byte[] good = Files.readAllBytes(whole);
        Rng rng = new Rng(5);
        Path file = folder.resolve("damaged.npz");
        for (int i = 0; i < 2000; i++) {
            byte[] bad = good.clone();
            for (int hits = rng.nextInt(4); hits >= 0; hits--) {
                bad[rng.nextInt(bad.length)] = (byte) rng.nextInt(256);
            }
            Files.write(file, bad);
            try (Npz npz = Npz.open(file)) {
                npz.floats("x");
            } catch (BadInput expected) {
                assertThat(expected.getMessage()).contains("damaged.npz");
            }
        }
    }
}
