// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.broadcast;

import dev.nescio.tensor.Parallel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** A task of Spark computes on one core: there are as many tasks at a time as there are cores. */
public final class OneCore {

    private OneCore() {}

    /** Runs so that everything that is computed within uses one core. */
    public static <R> R run(Supplier<R> body) {
        List<R> result = new ArrayList<>();
        Parallel.sideBySide(1, task -> result.add(body.get()));
        return result.get(0);
    }
}
