package dev.nescio.tensor;

import dev.nescio.random.Seed;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import org.bytedeco.javacpp.FloatPointer;

/**
 * Inverted dropout whose mask is a hash of a key and the position of an entry: nothing is stored for the backward pass,
 * which computes the mask again, and the mask does not depend on the number of threads. Each use draws a new key.
 */
public final class Dropout {

    /** Evaluation: nothing is dropped. */
    public static final Dropout OFF = new Dropout(0, new Seed(0));

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    /** Entries per hash: four draws of 16 bits. */
    private static final int DRAWS = 4;
    /** Entries per task of {@link Parallel}. */
    private static final int GRAIN = 1 << 14;

    /** Entries that one buffer can address. */
    private static final long LONGEST = 1 << 28;

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
        Tensor result = Gradients.off(masked::gelu);
        if (!CustomGradient.wanted(fresh)) {
            return result;
        }
        CustomGradient.save(masked);
        return CustomGradient.attach(fresh, result, gradient -> {
            Tensor before = gradient.geluBackward(masked);
            return mask(before, before, key);
        });
    }

    private Tensor mask(Tensor from, Tensor to, long key) {
        FloatPointer source = from.raw().data_ptr_float();
        FloatPointer target = to.raw().data_ptr_float();
        Parallel.ranges(from.raw().numel(), GRAIN, (first, end) -> {
            for (long begin = first; begin < end; begin += LONGEST) {
                long next = Math.min(end, begin + LONGEST);
                mask(slice(source, begin, next), slice(target, begin, next), key + begin / DRAWS * GOLDEN);
            }
        });
        return to;
    }

    private void mask(FloatBuffer source, FloatBuffer target, long firstPosition) {
        int size = source.limit();
        long position = firstPosition;
        int i = 0;
        for (; i + DRAWS <= size; i += DRAWS) {
            long hash = Seed.mix(position);
            position += GOLDEN;
            target.put(i, source.get(i) * factor(hash));
            target.put(i + 1, source.get(i + 1) * factor(hash >>> 16));
            target.put(i + 2, source.get(i + 2) * factor(hash >>> 32));
            target.put(i + 3, source.get(i + 3) * factor(hash >>> 48));
        }
        for (long hash = Seed.mix(position); i < size; i++, hash >>>= 16) {
            target.put(i, source.get(i) * factor(hash));
        }
    }

    private float factor(long bits) {
        return (bits & 0xFFFF) < threshold ? 0 : scale;
    }

    private static FloatBuffer slice(FloatPointer data, long from, long to) {
        try (FloatPointer part = new FloatPointer(data)) {
            return part.position(from).limit(to).asByteBuffer().order(ByteOrder.nativeOrder()).asFloatBuffer();
        }
    }
}
