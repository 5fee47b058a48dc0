package dev.nescio.tensor;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.Pointer;

/** Owner of tensors that live longer than a scope: parameters, the structure of a graph. Closed by whoever made it. */
public final class Arena implements AutoCloseable {

    private final List<Pointer> owned = new ArrayList<>();

    public Tensor own(Tensor tensor) {
        Pointer pointer = tensor.raw();
        pointer.retainReference();
        owned.add(pointer);
        return tensor;
    }

    @Override
    public void close() {
        owned.forEach(Pointer::releaseReference);
        owned.clear();
    }
}
