// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.layer;

import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What nodes hold between two stages of a pass.
 *
 * @param heard what their neighbours hear of them in the next round: [nodes, width]
 * @param own what only they themselves need later, each [nodes, its width]; may have more rows than the next round has targets
 */
public record Held(Tensor heard, List<Tensor> own) {

    public Held {
        own = List.copyOf(own);
    }

    public static Held of(Tensor heard, Tensor... own) {
        return new Held(heard, List.of(own));
    }

    /** Runs a stage and frees every tensor made on the way but what nodes hold then, which the enclosing scope owns. */
    public static Held keep(Supplier<Held> stage) {
        return Scope.keep(stage, held -> Stream.concat(Stream.of(held.heard), held.own.stream()));
    }

    /** One of their own, of the first nodes alone. */
    public Tensor own(int which, int nodes) {
        return own.get(which).firstRows(nodes);
    }
}
