// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.GradMode;
import org.bytedeco.pytorch.TensorBase;
import org.bytedeco.pytorch.TensorTensorHook;
import org.jspecify.annotations.Nullable;

/**
 * Attaches a backward of our own to a result that was computed with gradients off.
 *
 * <p>The result becomes a node of libtorch's graph through a cheap operation on the inputs; hooks on it replace the
 * gradient that this operation would compute. The native side knows a hook by its address only, so hooks are kept in a
 * list until the backward pass is over, and so are the tensors that they need.
 */
final class CustomGradient {

    private static final ThreadLocal<CustomGradient> CURRENT = ThreadLocal.withInitial(CustomGradient::new);

    private final List<Hook> hooks = new ArrayList<>();
    private final Arena saved = new Arena();

    private CustomGradient() {}

    /** Computes the gradients of all inputs from the gradient of the result; null where none is wanted. */
    @FunctionalInterface
    interface Backward {
        @Nullable
        Tensor[] apply(Tensor gradient);
    }

    static boolean wanted(Tensor... inputs) {
        if (GradMode.is_enabled()) {
            for (Tensor input : inputs) {
                if (input.requiresGradient()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Keeps a tensor that a backward will need until the backward pass is over. */
    static Tensor save(Tensor tensor) {
        return CURRENT.get().saved.own(tensor);
    }

    /** For one input of the same shape as the result: no pass over the memory of either. */
    static Tensor attach(Tensor input, Tensor result, UnaryOperator<Tensor> backward) {
        if (!wanted(input)) {
            return result;
        }
        org.bytedeco.pytorch.Tensor node = input.raw().alias();
        node.set_data(result.raw());
        node.register_hook(CURRENT.get().hook(backward));
        return Tensor.of(node);
    }

    /** For any inputs and any shapes. The result must be fresh: a zero that depends on every input is added to it. */
    static Tensor attach(Tensor result, Backward backward, Tensor... inputs) {
        if (!wanted(inputs)) {
            return result;
        }
        CustomGradient current = CURRENT.get();
        Tensor[] gradients = new Tensor[inputs.length];
        org.bytedeco.pytorch.Tensor zero = null;
        for (int i = 0; i < inputs.length; i++) {
            if (inputs[i].requiresGradient()) {
                int at = i;
                org.bytedeco.pytorch.Tensor alias = inputs[i].raw().alias();
                alias.register_hook(current.hook(ignored -> gradients[at]));
                org.bytedeco.pytorch.Tensor nothing =
                        alias.reshape(-1).narrow(0, 0, 0).sum();
                zero = zero == null ? nothing : zero.add(nothing);
            }
        }
        // What add_ returns does not own its memory.
        result.raw().add_(zero);
        result.raw().register_hook(current.hook(gradient -> {
            System.arraycopy(backward.apply(gradient), 0, gradients, 0, gradients.length);
            return gradient;
        }));
        return result;
    }

    /**
     * Forgets the hooks of this thread: when a backward pass is over, and when the outermost scope ends, in case there was
     * none. One graph at a time: a backward pass forgets the hooks of every other graph of its thread.
     */
    static void release() {
        CustomGradient current = CURRENT.get();
        current.hooks.forEach(Hook::releaseReference);
        current.hooks.clear();
        current.saved.close();
    }

    private Hook hook(UnaryOperator<Tensor> body) {
        Hook hook = new Hook(body);
        hook.retainReference();
        hooks.add(hook);
        return hook;
    }

    private static final class Hook extends TensorTensorHook {

        private final UnaryOperator<Tensor> body;

        Hook(UnaryOperator<Tensor> body) {
            this.body = body;
        }

        @Override
        public TensorBase call(TensorBase gradient) {
            return body.apply(Tensor.of(new org.bytedeco.pytorch.Tensor(gradient)))
                    .raw();
        }
    }
}
