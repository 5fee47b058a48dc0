// SPDX-License-Identifier: Apache-2.0
package dev.nescio.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.io.detector.StateSource;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadInput;
import dev.nescio.problem.NescioException;
import dev.nescio.uncertainty.Evidence;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnnxStatesTest {

    @TempDir
    Path folder;

    private static final Graph GRAPH = Graph.builder(
                    "three",
                    Adjacency.undirected(3, new int[] {0, 1}, new int[] {1, 2}).adjacency())
            .features(DenseMatrix.of(new float[][] {{1, 0}, {0, 2}, {-3, 1}}))
            .build();

    /** Two layers: {@code h0 = relu(x W)}, {@code h1 = h0 + sum of the neighbours' h0}, and {@code logits = h1 V}. */
    private static byte[] network() {
        return new OnnxModel()
                .input("x", true)
                .input("edge_index", false)
                .floats("W", 2, 2, 1, 0, 0, 1)
                .floats("V", 2, 2, 1, -1, 0, 2)
                .longs("zero", 0)
                .longs("one", 1)
                .longs("last", 1)
                .node("MatMul", "xW", "x", "W")
                .node("Relu", "h0", "xW")
                .node("Gather", "senders_row", "edge_index", "zero")
                .node("Gather", "receivers_row", "edge_index", "one")
                .node("Squeeze", "senders", "senders_row", "zero")
                .node("Squeeze", "receivers_flat", "receivers_row", "zero")
                .node("Unsqueeze", "receivers", "receivers_flat", "last")
                .node("Gather", "messages", "h0", "senders")
                .reducing("ScatterND", "add", "h1", "h0", "receivers", "messages")
                .node("MatMul", "logits", "h1", "V")
                .output("h0")
                .output("h1")
                .output("logits")
                .build();
    }

    @Test
    void layersAndLogitsComeBack() {
        Evidence evidence = StateSource.of("onnx").run(network(), "net.onnx", GRAPH);

        assertThat(evidence.states()).hasSize(2);
        assertThat(evidence.states().get(0).values()).containsExactly(1, 0, 0, 2, 0, 1);
        assertThat(evidence.states().get(1).values()).containsExactly(1, 2, 1, 3, 0, 3);
        assertThat(evidence.logits().values()).containsExactly(1, 3, 1, 5, 0, 6);
    }

    /** {@code h0 = x W}, with W in another file. */
    private Path external(String location, long offset) throws IOException {
        byte[] model = new OnnxModel()
                .input("x", true)
                .external("W", 2, 2, location, offset)
                .node("MatMul", "h0", "x", "W")
                .output("h0")
                .build();
        return Files.write(folder.resolve("net.onnx"), model);
    }

    @Test
    void parametersBesideTheModelArePutIntoIt() throws IOException {
        ByteBuffer weights = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        weights.putLong(0).putFloat(1).putFloat(0).putFloat(0).putFloat(3);
        Files.write(folder.resolve("weights.bin"), weights.array());
        byte[] whole = StateSource.of("onnx").load(external("weights.bin", 8));
        Files.delete(folder.resolve("weights.bin"));

        assertThat(StateSource.of("onnx")
                        .run(whole, "net.onnx", GRAPH)
                        .states()
                        .get(0)
                        .values())
                .containsExactly(1, 0, 0, 6, -3, 3);
        assertThat(StateSource.of("onnx").load(Files.write(folder.resolve("plain.onnx"), network())))
                .isEqualTo(network());
    }

    @Test
    void noOtherFileIsRead() throws IOException {
        Path other = Files.write(folder.getParent().resolve("outside-" + folder.getFileName() + ".bin"), new byte[16]);
        Files.createSymbolicLink(folder.resolve("link.bin"), other);
        for (String location : List.of(
                "../" + other.getFileName(), other.toString(), "link.bin", "missing.bin", "", "..", "a/b.bin")) {
            Path model = external(location, 0);
            assertThatThrownBy(() -> StateSource.of("onnx").load(model))
                    .isInstanceOf(BadInput.class)
                    .hasMessage(model + " keeps parameters in '" + location
                            + "', which is not a plain file beside the model; only such files are read");
        }
        Files.write(folder.resolve("short.bin"), new byte[12]);
        assertThatThrownBy(() -> StateSource.of("onnx").load(external("short.bin", 0)))
                .hasMessageContaining("expects 16 bytes from byte 0");
        byte[] bytes = Files.readAllBytes(external("short.bin", 0));
        assertThatThrownBy(() -> StateSource.of("onnx").run(bytes, "detector", GRAPH))
                .hasMessage(
                        "detector keeps parameters in another file, 'short.bin'; a model in a detector must hold all of"
                                + " them");
    }

    /** The runtime looks at the lower 32 bits of a tag alone: a graph that we would pass over. */
    @Test
    void fieldsThatTheRuntimeWouldSeeDifferentlyAreRefused() throws IOException {
        Files.write(folder.resolve("weights.bin"), new byte[16]);
        byte[] model = Files.readAllBytes(external("weights.bin", 0));
        assertThat(model[2]).as("the tag of the graph").isEqualTo((byte) (7 << 3 | 2));
        ByteArrayOutputStream hidden = new ByteArrayOutputStream();
        hidden.write(model, 0, 2);
        hidden.writeBytes(new byte[] {(byte) (0x80 | model[2]), (byte) 0x80, (byte) 0x80, (byte) 0x80, 0x10});
        hidden.write(model, 3, model.length - 3);

        for (byte[] bytes : List.of(hidden.toByteArray(), new byte[] {0, 0})) {
            assertThatThrownBy(() -> StateSource.of("onnx").run(bytes, "detector", GRAPH))
                    .isInstanceOf(BadInput.class)
                    .hasMessageStartingWith("detector is not an ONNX model or is damaged: byte ");
        }
    }

    @Test
    void whatCannotBeRunIsNamed() {
        byte[] network = network();
        Graph narrow = GRAPH.with().features(DenseMatrix.of(3, 1, new float[3])).build();

        assertThatThrownBy(() -> StateSource.of("onnx").run(network, "net.onnx", narrow))
                .isInstanceOf(BadInput.class)
                .hasMessageStartingWith("net.onnx is not an ONNX model that can be run on three: ");
        assertThatThrownBy(() -> StateSource.of("onnx").run("no model".getBytes(), "net.onnx", GRAPH))
                .isInstanceOf(BadInput.class);
        assertThatThrownBy(() -> StateSource.of("magic"))
                .hasMessage("models of kind magic need the module nescio-magic on the class path");
    }

    @Test
    void damagedModelsAreRefusedOrRun() {
        byte[] network = network();
        SplittableRandom random = new SplittableRandom(3);
        int refused = 0;
        int cases = Integer.getInteger("nescio.fuzz.onnx", 300);
        for (int i = 0; i < cases; i++) {
            byte[] damaged =
                    Arrays.copyOf(network, random.nextInt(4) == 0 ? random.nextInt(network.length) : network.length);
            for (int changes = 1 + random.nextInt(3); changes > 0 && damaged.length > 0; changes--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            try {
                StateSource.of("onnx").run(damaged, "net.onnx", GRAPH);
            } catch (NescioException e) {
                refused++;
            }
        }
        assertThat(refused).isBetween(cases / 10, cases);
    }
}
