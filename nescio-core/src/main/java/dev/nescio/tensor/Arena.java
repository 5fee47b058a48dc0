// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.Pointer;

/** Owner of tensors that live longer than a scope: parameters, the structure of a graph. Closed by whoever made it. Any
 * thread may hand tensors over. */
public final class Arena implements AutoCloseable {

    private final List<Pointer> owned = new ArrayList<>();
    private boolean isClosed;
    private long bytes;

    public synchronized Tensor own(Tensor tensor) {
        Pointer pointer = tensor.raw();
        pointer.retainReference();
        owned.add(pointer);
        bytes += tensor.raw().numel() * tensor.raw().element_size();
        return tensor;
    }

    /** How much memory it owns, views and what they are views of counted each. */
    public synchronized long bytes() {
        return bytes;
    }

    synchronized boolean isClosed() {
        return isClosed;
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        owned.forEach(Pointer::releaseReference);
        owned.clear();
    }
}
