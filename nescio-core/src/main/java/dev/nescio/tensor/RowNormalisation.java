// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import org.bytedeco.javacpp.BoolPointer;
import org.bytedeco.pytorch.T_TensorTensorTensor_T;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;

/**
 * LayerNorm, {@code scale * (x - mean) / sqrt(variance + 1e-5) + shift} per row. The gradients of scale and shift are sums over rows,
 * which libtorch cuts by the number of threads; here blocks of rows are summed and added up in their order.
 */
final class RowNormalisation {

    private static final double EPSILON = 1e-5;
    /** Of a block: it is in the cache while its three gradients are computed. */
    private static final int BLOCK_ENTRIES = 1 << 17;

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
            return CustomGradient.attach(x, normalised, gradient -> {
                Tensor[] gradients = pass.gradients(gradient);
                scale.addGradient(gradients[1]);
                shift.addGradient(gradients[2]);
                return gradients[0];
            });
        }
        return CustomGradient.attach(normalised, pass::gradients, x, scale, shift);
    }

    /** Of the input, of the scale and of the shift. */
    private Tensor[] gradients(Tensor gradient) {
        return Gradients.off(() -> {
            Tensor g = gradient.contiguous();
            int rows = x.rows();
            int blocks = (rows + blockRows() - 1) / blockRows();
            Tensor forInput = g.sameShape();
            Tensor forScale = Products.empty(g, blocks, x.columns());
            Tensor forShift = Products.empty(g, blocks, x.columns());
            Parallel.sideBySide(
                    blocks,
                    block -> Scope.run(() -> Gradients.off(() -> {
                        int from = block * blockRows();
                        int count = Math.min(blockRows(), rows - from);
                        T_TensorTensorTensor_T ofBlock = backward(g, from, count);
                        forInput.setRows(from, Tensor.ofPart(ofBlock.get0()));
                        forScale.setRows(block, Tensor.ofPart(ofBlock.get1()).reshape(1, x.columns()));
                        forShift.setRows(block, Tensor.ofPart(ofBlock.get2()).reshape(1, x.columns()));
                        return true;
                    })));
            return new Tensor[] {forInput, Sums.overRows(forScale), Sums.overRows(forShift)};
        });
    }

    private int blockRows() {
        return Math.max(1, BLOCK_ENTRIES / x.columns());
    }

    private T_TensorTensorTensor_T backward(Tensor g, int from, int count) {
        try (BoolPointer all = new BoolPointer(3)) {
            all.put(0, true).put(1, true).put(2, true);
            return torch.native_layer_norm_backward(
                    g.rows(from, count).raw(),
                    x.rows(from, count).raw(),
                    width,
                    mean.rows(from, count).raw(),
                    inverseDeviation.rows(from, count).raw(),
                    new TensorOptional(scale.raw()),
                    new TensorOptional(shift.raw()),
                    all);
        }
    }
}
