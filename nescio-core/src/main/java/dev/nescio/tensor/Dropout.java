// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import java.util.Arrays;
import org.bytedeco.javacpp.FloatPointer;
import org.jspecify.annotations.Nullable;

/**
 * Inverted dropout whose mask is a hash of a key and the position of an entry: nothing is stored for the backward pass,
 * which computes the mask again, and the mask does not depend on the number of threads. Each use draws a new key.
 */
public final class Dropout {

    /** Evaluation: nothing is dropped. */
    public static final Dropout OFF = new Dropout(0, new Seed(0));

    /** Entries per task of {@link Parallel}. */
    private static final int GRAIN = 1 << 16;

    private final int threshold;
    private final Seed seed;
    private long uses;

    /**
     * @param rate the share of entries to drop, to the next 1/65536
     * @param seed a seed of this pass alone
     */
    public Dropout(double rate, Seed seed) {
        this.threshold = (int) Math.round(rate * 65536);
        this.seed = seed;
    }

    /** What the next use keeps; null where nothing is dropped. */
    @Nullable
    Mask nextMask() {
        return threshold == 0 ? null : new Mask(threshold, seed.split(uses++).value());
    }

    /** Drops entries of a fresh tensor in place; its old values are gone. */
    public Tensor apply(Tensor fresh) {
        return threshold == 0 ? fresh : entryByEntry(fresh, false);
    }

    /** {@code gelu(dropout(x))} of a fresh tensor, whose old values are gone. */
    public Tensor applyThenGelu(Tensor fresh) {
        return threshold == 0 ? fresh.gelu() : entryByEntry(fresh, true);
    }

    private Tensor entryByEntry(Tensor fresh, boolean isGelu) {
        long entries = fresh.raw().numel();
        Epilogue epilogue = new Epilogue(1, null, nextMask(), isGelu, null);
        if (CustomGradient.wanted(fresh)) {
            epilogue.expectBackward(entries);
        }
        Tensor memory = fresh.detached();
        FloatPointer values = memory.raw().data_ptr_float();
        Parallel.ranges(entries, GRAIN, (first, end) -> epilogue.forward(values, first, end - first));
        return CustomGradient.attach(fresh, memory, gradient -> {
            Tensor from = gradient.contiguous();
            Tensor to = from.sameShape();
            FloatPointer source = from.raw().data_ptr_float();
            FloatPointer target = to.raw().data_ptr_float();
            Parallel.ranges(
                    entries,
                    GRAIN,
                    (first, end) -> epilogue.backward(source, target.getPointer(first), first, end - first, null));
            return to;
        });
    }

    /** Independent standard normal draws of this pass; zeros in evaluation. */
    public Tensor normal(int... shape) {
        int size = Arrays.stream(shape).reduce(1, Math::multiplyExact);
        float[] values = new float[size];
        if (this != OFF) {
            Rng rng = seed.split(uses++).rng();
            for (int i = 0; i < size; i++) {
                values[i] = (float) rng.nextGaussian();
            }
        }
        return Tensor.of(values, shape);
    }
}
