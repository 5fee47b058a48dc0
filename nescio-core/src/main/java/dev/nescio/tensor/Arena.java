// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.Pointer;

/** Owner of tensors that live longer than a scope: parameters, the structure of a graph. Closed by whoever made it. Any
 * thread may hand tensors over. */
public final class Arena implements AutoCloseable {

    private final List<Pointer> owned = new ArrayList<>();

    public synchronized Tensor own(Tensor tensor) {
        Pointer pointer = tensor.raw();
        pointer.retainReference();
        owned.add(pointer);
        return tensor;
    }

    @Override
    public synchronized void close() {
        owned.forEach(Pointer::releaseReference);
        owned.clear();
    }
}
