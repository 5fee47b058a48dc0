// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import org.bytedeco.javacpp.BoolPointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.pytorch.T_TensorTensorTensor_T;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;

/**
 * LayerNorm, {@code scale * (x - mean) / sqrt(variance + 1e-5) + shift} per row. The gradients of scale and shift are sums over rows,
 * which libtorch cuts by the number of threads; here blocks of rows are summed and added up in their order.
 */
final class RowNormalisation {

    private static final double EPSILON = 1e-5;
    private static final int BLOCK_ROWS = 512;

    private final long[] width;
    private final Tensor x;
    private final Tensor scale;
    private final Tensor shift;
    private final Tensor mean;
    private final Tensor inverseDeviation;

    private RowNormalisation(Tensor x, Tensor scale, Tensor shift, T_TensorTensorTensor_T result) {
        this.width = new long[] {x.columns()};
        this.x = CustomGradient.save(x.detached());
        this.scale = CustomGradient.save(scale.detached());
        this.shift = CustomGradient.save(shift.detached());
        this.mean = CustomGradient.save(Tensor.ofPart(result.get1()));
        this.inverseDeviation = CustomGradient.save(Tensor.ofPart(result.get2()));
    }

    /** [rows, columns] and twice [columns] to [rows, columns]. */
    static Tensor of(Tensor given, Tensor scale, Tensor shift) {
        Tensor x = given.contiguous();
        T_TensorTensorTensor_T result = Gradients.off(() -> torch.native_layer_norm(
                x.raw(),
                new long[] {x.columns()},
                new TensorOptional(scale.raw()),
                new TensorOptional(shift.raw()),
                EPSILON));
        Tensor normalised = Tensor.ofPart(result.get0());
        if (!CustomGradient.wanted(x, scale, shift)) {
            return normalised;
        }
        RowNormalisation pass = new RowNormalisation(x, scale, shift, result);
        if (x.requiresGradient() && scale.isLeaf() && shift.isLeaf()) {
            // The result has the shape of the input: no pass over memory connects them.
            return CustomGradient.attach(
                    x,
                    normalised,
                    gradient -> Gradients.off(() -> {
                        Tensor g = gradient.contiguous();
                        Tensor[] sums = pass.gradientsOfParameters(g);
                        scale.addGradient(sums[0]);
                        shift.addGradient(sums[1]);
                        return pass.gradientOfInput(g);
                    }));
        }
        return CustomGradient.attach(
                normalised,
                gradient -> Gradients.off(() -> {
                    Tensor g = gradient.contiguous();
                    Tensor[] sums = pass.gradientsOfParameters(g);
                    return new Tensor[] {pass.gradientOfInput(g), sums[0], sums[1]};
                }),
                x,
                scale,
                shift);
    }

    private Tensor gradientOfInput(Tensor g) {
        try (BoolPointer inputAlone = new BoolPointer(3)) {
            inputAlone.put(0, true).put(1, false).put(2, false);
            return Tensor.ofPart(torch.native_layer_norm_backward(
                            g.raw(),
                            x.raw(),
                            width,
                            mean.raw(),
                            inverseDeviation.raw(),
                            new TensorOptional(scale.raw()),
                            new TensorOptional(shift.raw()),
                            inputAlone)
                    .get0());
        }
    }

    /** Of the scale and of the shift. */
    private Tensor[] gradientsOfParameters(Tensor g) {
        if (x.raw().element_size() == Double.BYTES) {
            Tensor normalised = x.minus(mean).times(inverseDeviation);
            return new Tensor[] {Sums.overRows(normalised.times(g)), Sums.overRows(g)};
        }
        int rows = x.rows();
        int columns = x.columns();
        int blocks = (rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
        float[][] forScale = new float[blocks][];
        float[][] forShift = new float[blocks][];
        float[] means = mean.toFloats();
        float[] inverse = inverseDeviation.toFloats();
        FloatPointer values = x.raw().data_ptr_float();
        FloatPointer gradients = g.raw().data_ptr_float();
        Parallel.ranges(blocks, 1, (first, end) -> {
            float[] xs = new float[columns];
            float[] gs = new float[columns];
            for (int block = (int) first; block < end; block++) {
                float[] scaleSums = new float[columns];
                float[] shiftSums = new float[columns];
                for (int row = block * BLOCK_ROWS; row < Math.min(rows, (block + 1) * BLOCK_ROWS); row++) {
                    values.getPointer((long) row * columns).get(xs, 0, columns);
                    gradients.getPointer((long) row * columns).get(gs, 0, columns);
                    add(xs, gs, means[row], inverse[row], scaleSums, shiftSums);
                }
                forScale[block] = scaleSums;
                forShift[block] = shiftSums;
            }
        });
        return new Tensor[] {inOrder(forScale, columns), inOrder(forShift, columns)};
    }

    private static void add(float[] xs, float[] gs, float mean, float inverse, float[] scaleSums, float[] shiftSums) {
        for (int c = 0; c < xs.length; c++) {
            scaleSums[c] += gs[c] * ((xs[c] - mean) * inverse);
            shiftSums[c] += gs[c];
        }
    }

    private static Tensor inOrder(float[][] blocks, int columns) {
        double[] sums = new double[columns];
        for (float[] block : blocks) {
            for (int c = 0; c < columns; c++) {
                sums[c] += block[c];
            }
        }
        float[] rounded = new float[columns];
        for (int c = 0; c < columns; c++) {
            rounded[c] = (float) sums[c];
        }
        return Tensor.of(rounded, columns);
    }
}
