// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.layer;

import dev.nescio.matrix.NdArray;
import dev.nescio.problem.BadModelFile;
import dev.nescio.random.Seed;
import dev.nescio.tensor.Arena;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The named parameters of one network in native memory. A network asks for each by name and shape; it comes from a seed or
 * from a stored model, and the network cannot tell which.
 */
public final class Weights implements AutoCloseable {

    private final Arena arena = new Arena();
    private final Map<String, Tensor> tensors = new LinkedHashMap<>();
    private final @Nullable Seed seed;
    private final Map<String, NdArray> stored;

    private Weights(@Nullable Seed seed, Map<String, NdArray> stored) {
        this.seed = seed;
        this.stored = stored;
    }

    /** Fresh parameters. */
    public static Weights drawn(Seed seed) {
        return new Weights(seed, Map.of());
    }

    /** Parameters of a stored model. */
    public static Weights of(Map<String, NdArray> stored) {
        return new Weights(null, stored);
    }

    /** The parameter of this name, a leaf with a gradient. */
    public Tensor get(String name, Init init, int... shape) {
        return Scope.run(() -> {
            Tensor tensor =
                    arena.own(Tensor.of(values(name, init, shape), shape).requireGradient());
            tensors.put(name, tensor);
            return tensor;
        });
    }

    /** Numbers of this name that are stored with the parameters but not learned by gradients. */
    public Tensor buffer(String name, Init init, int... shape) {
        return Scope.run(() -> {
            Tensor tensor = arena.own(Tensor.of(values(name, init, shape), shape));
            tensors.put(name, tensor);
            return tensor;
        });
    }

    private float[] values(String name, Init init, int[] shape) {
        if (seed != null) {
            float[] values = new float[Arrays.stream(shape).reduce(1, Math::multiplyExact)];
            init.fill(values, seed.split(name).rng());
            return values;
        }
        NdArray array = stored.get(name);
        if (array instanceof NdArray.Floats floats && Arrays.equals(floats.shape(), shape)) {
            return floats.values();
        }
        throw new BadModelFile(
                array == null
                        ? "the model has no parameter '" + name + "'"
                        : "parameter '" + name + "' has shape " + Arrays.toString(array.shape())
                                + ", but the network needs " + Arrays.toString(shape) + " floats");
    }

    /** Those that are learned by gradients, by name. */
    public Map<String, Tensor> parameters() {
        Map<String, Tensor> learned = new LinkedHashMap<>(tensors);
        learned.values().removeIf(tensor -> !tensor.requiresGradient());
        return learned;
    }

    /** A copy of all values on the heap. */
    public Map<String, NdArray> snapshot() {
        Map<String, NdArray> copy = new LinkedHashMap<>();
        Scope.run(() -> tensors.forEach((name, tensor) -> copy.put(name, tensor.toArray())));
        return copy;
    }

    /** How much native memory they take. */
    public long bytes() {
        return arena.bytes();
    }

    @Override
    public void close() {
        arena.close();
    }
}
