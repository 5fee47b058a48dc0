// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import java.util.Arrays;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.pytorch.global.torch;

/**
 * Inverted dropout whose mask is a hash of a key and the position of an entry: nothing is stored for the backward pass,
 * which computes the mask again, and the mask does not depend on the number of threads. Each use draws a new key.
 */
public final class Dropout {

    /** Evaluation: nothing is dropped. */
    public static final Dropout OFF = new Dropout(0, new Seed(0));

    /** Entries per hash: four draws of 16 bits. */
    private static final int DRAWS = 4;
    /** Entries per task of {@link Parallel}. */
    private static final int GRAIN = 1 << 16;
    /** Entries that are worked on in the cache. */
    private static final int CHUNK = 1 << 12;

    private final int threshold;
    private final float scale;
    private final Seed seed;
    private long uses;

    /**
     * @param rate the share of entries to drop, to the next 1/65536
     * @param seed a seed of this pass alone
     */
    public Dropout(double rate, Seed seed) {
        this.threshold = (int) Math.round(rate * 65536);
        this.scale = (float) (65536.0 / (65536 - threshold));
        this.seed = seed;
    }

    /** Drops entries of a fresh tensor in place; its old values are gone. */
    public Tensor apply(Tensor fresh) {
        if (threshold == 0) {
            return fresh;
        }
        long key = seed.split(uses++).value();
        Tensor memory = fresh.detached();
        mask(memory, memory, key);
        return CustomGradient.attach(fresh, memory, gradient -> {
            Tensor from = gradient.contiguous();
            return mask(from, from.sameShape(), key);
        });
    }

    /** {@code gelu(dropout(x))} of a fresh tensor, whose old values are gone. */
    public Tensor applyThenGelu(Tensor fresh) {
        if (threshold == 0) {
            return fresh.gelu();
        }
        long key = seed.split(uses++).value();
        Tensor memory = fresh.detached();
        Tensor masked = mask(memory, memory, key);
        if (!CustomGradient.wanted(fresh)) {
            torch.gelu_(masked.raw());
            return masked;
        }
        Tensor result = Gradients.off(masked::gelu);
        CustomGradient.save(masked);
        return CustomGradient.attach(fresh, result, gradient -> {
            Tensor before = gradient.geluBackward(masked);
            return mask(before, before, key);
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

    private Tensor mask(Tensor from, Tensor to, long key) {
        FloatPointer source = from.raw().data_ptr_float();
        FloatPointer target = to.raw().data_ptr_float();
        Parallel.ranges(from.raw().numel(), GRAIN, (first, end) -> {
            float[] values = new float[CHUNK];
            for (long begin = first; begin < end; begin += CHUNK) {
                int size = (int) Math.min(CHUNK, end - begin);
                source.getPointer(begin).get(values, 0, size);
                mask(values, size, key + begin / DRAWS * Seed.GOLDEN);
                target.getPointer(begin).put(values, 0, size);
            }
        });
        return to;
    }

    private void mask(float[] values, int size, long firstPosition) {
        long position = firstPosition;
        int i = 0;
        for (; i + DRAWS <= size; i += DRAWS) {
            long hash = Seed.mix(position);
            position += Seed.GOLDEN;
            values[i] = keepOrDrop(values[i], hash);
            values[i + 1] = keepOrDrop(values[i + 1], hash >>> 16);
            values[i + 2] = keepOrDrop(values[i + 2], hash >>> 32);
            values[i + 3] = keepOrDrop(values[i + 3], hash >>> 48);
        }
        for (long hash = Seed.mix(position); i < size; i++, hash >>>= 16) {
            values[i] = keepOrDrop(values[i], hash);
        }
    }

    /** No branch: a coin that nobody can predict would cost more than everything else here. */
    private float keepOrDrop(float value, long bits) {
        int allOnesToKeep = ~(((int) (bits & 0xFFFF) - threshold) >> 31);
        return Float.intBitsToFloat(Float.floatToRawIntBits(value * scale) & allOnesToKeep);
    }
}
