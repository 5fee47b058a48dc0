// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.problem.BadInput;
import java.util.List;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarOptional;
import org.bytedeco.pytorch.T_TensorTensor_T;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.jspecify.annotations.Nullable;

/**
 * A native array of floats (or, where said, of doubles or ints) with gradients. Freed by its {@link Scope} or
 * {@link Arena}; not thread-safe.
 */
public final class Tensor {

    /** Floats of a copy from or to the heap that one core copies. */
    private static final int COPIED_AT_A_TIME = 1 << 18;

    private final org.bytedeco.pytorch.Tensor raw;

    private Tensor(org.bytedeco.pytorch.Tensor raw) {
        this.raw = raw;
    }

    static Tensor of(org.bytedeco.pytorch.Tensor raw) {
        return new Tensor(raw);
    }

    /** Of a part of a tuple, which may outlive the tuple. */
    static Tensor ofPart(org.bytedeco.pytorch.Tensor part) {
        return new Tensor(new org.bytedeco.pytorch.Tensor(part));
    }

    org.bytedeco.pytorch.Tensor raw() {
        return raw;
    }

    // ---- from and to the Java heap ----

    public static Tensor of(DenseMatrix matrix) {
        return of(matrix.values(), 0, matrix.rows(), matrix.columns());
    }

    /** {@code rows * columns} values of a row-major array, beginning at an offset. */
    public static Tensor of(float[] values, int offset, int rows, int columns) {
        Tensor tensor = empty(ScalarType.Float, rows, columns);
        if (rows * (long) columns > 0) {
            tensor.put(values, offset, rows * columns);
        }
        return tensor;
    }

    public static Tensor of(float[] values, int... shape) {
        Tensor tensor = empty(ScalarType.Float, longs(shape));
        if (values.length > 0) {
            tensor.put(values, 0, values.length);
        }
        return tensor;
    }

    private void put(float[] values, int offset, int size) {
        FloatPointer to = raw.data_ptr_float();
        Parallel.ranges(size, COPIED_AT_A_TIME, (first, end) -> to.getPointer(first)
                .put(values, offset + (int) first, (int) (end - first)));
    }

    /** Doubles: for gradient checks and for sums that must not lose digits. */
    public static Tensor of(double[] values, int... shape) {
        Tensor tensor = empty(ScalarType.Double, longs(shape));
        if (values.length > 0) {
            tensor.raw.data_ptr_double().put(values);
        }
        return tensor;
    }

    /** Ints: node numbers, row pointers. */
    public static Tensor of(int... values) {
        Tensor tensor = empty(ScalarType.Int, values.length);
        if (values.length > 0) {
            tensor.raw.data_ptr_int().put(values);
        }
        return tensor;
    }

    /** Class labels. */
    public static Tensor labels(int... values) {
        return new Tensor(of(values).raw.toType(ScalarType.Long));
    }

    public static Tensor zeros(int... shape) {
        Engine.start();
        return new Tensor(torch.zeros(longs(shape)));
    }

    static Tensor empty(ScalarType type, long... shape) {
        Engine.start();
        return new Tensor(torch.empty(shape, new TensorOptions(type), null));
    }

    public float[] toFloats() {
        float[] values = new float[Math.toIntExact(raw.numel())];
        if (values.length > 0) {
            FloatPointer from = raw.contiguous().data_ptr_float();
            Parallel.ranges(values.length, COPIED_AT_A_TIME, (first, end) -> from.getPointer(first)
                    .get(values, (int) first, (int) (end - first)));
        }
        return values;
    }

    public double[] toDoubles() {
        double[] values = new double[Math.toIntExact(raw.numel())];
        if (values.length > 0) {
            raw.toType(ScalarType.Double).contiguous().data_ptr_double().get(values);
        }
        return values;
    }

    public DenseMatrix toMatrix() {
        return DenseMatrix.of(rows(), columns(), toFloats());
    }

    public NdArray toArray() {
        return new NdArray.Floats(shape(), toFloats());
    }

    public double item() {
        return raw.item_double();
    }

    // ---- shape ----

    public int[] shape() {
        int[] shape = new int[(int) raw.dim()];
        for (int i = 0; i < shape.length; i++) {
            shape[i] = Math.toIntExact(raw.size(i));
        }
        return shape;
    }

    public int rows() {
        return Math.toIntExact(raw.size(0));
    }

    public int columns() {
        return Math.toIntExact(raw.size(1));
    }

    /** A view of the first rows. */
    public Tensor firstRows(int count) {
        return count == rows() ? this : new Tensor(raw.narrow(0, 0, count));
    }

    /** A view of some rows. */
    public Tensor rows(int from, int count) {
        return new Tensor(raw.narrow(0, from, count));
    }

    /** Overwrites some rows, beginning with this one. */
    void setRows(int from, Tensor rows) {
        raw.narrow(0, from, rows.rows()).copy_(rows.raw);
    }

    /** A view of some columns. */
    public Tensor columns(int from, int count) {
        return new Tensor(raw.narrow(1, from, count));
    }

    public Tensor select(Tensor indices) {
        return new Tensor(raw.index_select(0, indices.raw));
    }

    /** The same entries in another shape. */
    public Tensor reshape(int... shape) {
        return new Tensor(raw.reshape(longs(shape)));
    }

    /** Overwrites a leaf without gradients. */
    public void set(float[] values) {
        raw.data_ptr_float().put(values);
    }

    public Tensor copy() {
        return of(raw.clone());
    }

    public Tensor transposed() {
        return new Tensor(raw.t());
    }

    public static Tensor besides(Tensor... parts) {
        org.bytedeco.pytorch.TensorVector all = new org.bytedeco.pytorch.TensorVector();
        for (Tensor part : parts) {
            all.push_back(part.raw);
        }
        return parts.length == 1 ? parts[0] : new Tensor(torch.cat(all, 1));
    }

    public Tensor toDouble() {
        return new Tensor(raw.toType(ScalarType.Double));
    }

    public Tensor toFloat() {
        return new Tensor(raw.toType(ScalarType.Float));
    }

    // ---- arithmetic ----

    public Tensor plus(Tensor other) {
        return isNumberWithGradient(other) ? Sums.plusNumber(this, other) : new Tensor(raw.add(other.raw));
    }

    /** Its gradient is a sum over all entries of this. */
    private boolean isNumberWithGradient(Tensor other) {
        return other.raw.numel() == 1 && raw.numel() > 1 && CustomGradient.wanted(other);
    }

    /** The sum; where no gradient needs them, in the memory of this fresh tensor, whose old values are gone. */
    public Tensor plusReusing(Tensor other) {
        if (CustomGradient.wanted(this, other)) {
            return plus(other);
        }
        // What add_ returns does not own its memory.
        raw.add_(other.raw);
        return this;
    }

    public Tensor minus(Tensor other) {
        return new Tensor(raw.sub(other.raw));
    }

    public Tensor times(Tensor other) {
        return isNumberWithGradient(other) ? Sums.timesNumber(this, other) : new Tensor(raw.mul(other.raw));
    }

    public Tensor times(double factor) {
        return new Tensor(raw.mul(new Scalar(factor)));
    }

    public Tensor over(Tensor other) {
        return new Tensor(raw.div(other.raw));
    }

    public Tensor plus(double number) {
        return new Tensor(raw.add(new Scalar(number)));
    }

    /** Matrix product. */
    public Tensor product(Tensor other) {
        return Products.of(this, other, null);
    }

    /** {@code offset + factor * this * other}, the offset one row for all rows. */
    public Tensor product(Tensor other, Tensor offset, double factor) {
        WorkLog.product(rows(), other.columns(), columns(), false);
        return new Tensor(torch.addmm(offset.raw, raw, other.raw, new Scalar(1.0), new Scalar(factor)));
    }

    /** {@code this * other + bias}. */
    public Tensor product(Tensor other, Tensor bias) {
        return Products.of(this, other, bias);
    }

    /** {@code gelu(dropout(this * other + bias))}. */
    public Tensor productThenGelu(Tensor other, Tensor bias, Dropout dropout) {
        return productThenGelu(List.of(this), other, bias, dropout);
    }

    /** {@code gelu(dropout((parts side by side) * other + bias))}, without joining the parts. */
    public static Tensor productThenGelu(List<Tensor> parts, Tensor other, Tensor bias, Dropout dropout) {
        return Products.of(parts, other, bias, dropout, true);
    }

    /** {@code dropout((parts side by side) * other + bias) + plus}, the last where it is given; the parts are not joined. */
    public static Tensor product(
            List<Tensor> parts, Tensor other, Tensor bias, Dropout dropout, @Nullable Tensor plus) {
        return Products.plus(parts, other, bias, dropout, plus);
    }

    /** {@code this' this}, only its lower triangle and diagonal, in half the time of a product. */
    public Tensor lowerGram() {
        return Products.lowerGram(this);
    }

    public Tensor gelu() {
        return new Tensor(torch.gelu(raw));
    }

    public Tensor relu() {
        return new Tensor(torch.relu(raw));
    }

    /** x where positive, slope times x elsewhere. */
    public Tensor leakyRelu(double slope) {
        return new Tensor(torch.leaky_relu(raw, new Scalar(slope)));
    }

    public Tensor tanh() {
        return new Tensor(torch.tanh(raw));
    }

    public Tensor exp() {
        return new Tensor(raw.exp());
    }

    public Tensor log() {
        return new Tensor(raw.log());
    }

    /** {@code log(1 + x)}. */
    public Tensor log1p() {
        return new Tensor(torch.log1p(raw));
    }

    public Tensor sqrt() {
        return new Tensor(raw.sqrt());
    }

    /** {@code log(1 + exp(x))}. */
    public Tensor softplus() {
        return new Tensor(torch.softplus(raw));
    }

    public Tensor digamma() {
        return new Tensor(torch.digamma(raw));
    }

    public Tensor logGamma() {
        return new Tensor(torch.lgamma(raw));
    }

    /** No entry below or above; where one was, the gradient is zero. */
    public Tensor clamp(double lowest, double highest) {
        return new Tensor(
                torch.clamp(raw, new ScalarOptional(new Scalar(lowest)), new ScalarOptional(new Scalar(highest))));
    }

    /** 1 where an entry is at least a number, 0 elsewhere; has no gradient. */
    public Tensor isAtLeast(double number) {
        return new Tensor(raw.ge(new Scalar(number)).toType(raw.scalar_type()));
    }

    /** Over the last dimension. */
    public Tensor softmax() {
        return new Tensor(torch.softmax(raw, -1));
    }

    /** Over the last dimension. */
    public Tensor logSoftmax() {
        return new Tensor(torch.log_softmax(raw, -1));
    }

    /** Each row over its length; a row of zeros stays. */
    public Tensor normalisedRows() {
        return new Tensor(torch.normalize(raw));
    }

    /** Per row over its channels: {@code scale * (x - mean) / sqrt(variance + 1e-5) + shift}. */
    public Tensor layerNorm(Tensor scale, Tensor shift) {
        return RowNormalisation.of(this, scale, shift);
    }

    /** Mean over rows of the negative log-probability of each row's label. */
    public Tensor crossEntropy(Tensor labels) {
        return new Tensor(torch.cross_entropy_loss(raw, labels.raw));
    }

    public Tensor sum() {
        return Sums.total(this);
    }

    /** Column sums. */
    public Tensor sumOverRows() {
        return Sums.overRows(this);
    }

    /** Row sums. */
    public Tensor sumOverColumns() {
        return new Tensor(raw.sum(1));
    }

    /** Sums over the last dimension, which is gone then. */
    public Tensor sumOverLast() {
        return new Tensor(raw.sum(-1));
    }

    /** The entry of each row at its label. */
    public Tensor atLabels(Tensor labels) {
        return new Tensor(raw.gather(1, labels.raw.unsqueeze(1)).squeeze(1));
    }

    /** The squared length of each row. */
    public Tensor squaredRowNorms() {
        return new Tensor(raw.mul(raw).sum(1));
    }

    /** {@code log sum exp} of each row. */
    public Tensor logSumExpOverColumns() {
        return new Tensor(raw.logsumexp(1));
    }

    /** The column of each row's largest entry. */
    public Tensor largestColumn() {
        return new Tensor(raw.argmax(new LongOptional(1), false));
    }

    /** How many entries of two tensors of one shape are equal. */
    public long countEqual(Tensor other) {
        return raw.eq(other.raw).sum().item_long();
    }

    /** Whether no entry is infinite or not a number. */
    public boolean isFinite() {
        return torch.isfinite(raw).all().item_bool();
    }

    /**
     * Eigenvalues ascending and, as columns, their eigenvectors, of a symmetric matrix; its lower triangle is read. Refuses a covariance
     * that has overflowed.
     */
    public Eigen symmetricEigen() {
        if (!isFinite()) {
            throw new BadInput(
                    "the features or states are so large that their covariance overflows; divide them by a constant first");
        }
        T_TensorTensor_T eigen = torch.linalg_eigh(raw);
        return new Eigen(ofPart(eigen.get0()), ofPart(eigen.get1()));
    }

    public record Eigen(Tensor values, Tensor vectors) {}

    // ---- gradients ----

    /** Marks a leaf whose gradient is wanted. */
    public Tensor requireGradient() {
        raw.requires_grad_(true);
        return this;
    }

    public boolean requiresGradient() {
        return raw.requires_grad();
    }

    /** Computes the gradient of this scalar for every marked leaf. */
    public void backward() {
        try {
            raw.backward();
        } finally {
            CustomGradient.release();
        }
    }

    /** The gradient of a leaf after {@link #backward}, until it is cleared. */
    public Tensor gradient() {
        return new Tensor(raw.grad());
    }

    boolean isLeaf() {
        return raw.is_leaf();
    }

    /** Adds to the gradient of a leaf. */
    void addGradient(Tensor more) {
        if (raw.mutable_grad().defined()) {
            raw.mutable_grad().add_(more.raw);
        } else {
            raw.mutable_grad().put(more.raw);
        }
    }

    /** Forgets the gradient of a leaf. */
    public void clearGradient() {
        raw.mutable_grad().reset();
    }

    /** The same memory without its history. */
    Tensor detached() {
        return new Tensor(raw.detach());
    }

    /** Fresh memory of the same shape and kind, with any content. */
    Tensor sameShape() {
        return new Tensor(torch.empty_like(raw));
    }

    Tensor contiguous() {
        return new Tensor(raw.contiguous());
    }

    private static long[] longs(int[] shape) {
        long[] longs = new long[shape.length];
        for (int i = 0; i < shape.length; i++) {
            longs[i] = shape[i];
        }
        return longs;
    }
}
