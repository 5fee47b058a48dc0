// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.model.Forward;
import dev.nescio.model.Network;
import dev.nescio.model.layer.Held;
import dev.nescio.problem.BadInput;
import dev.nescio.tensor.Tensor;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the nodes of a block hold between two rounds. Rows that are used twice are stored once.
 *
 * @param heard by neighbours
 * @param own what only the nodes themselves need
 * @param states all hidden states so far, by name
 */
@DefaultSerializer(JavaSerializer.class)
record BlockState(Rows heard, ArrayList<Rows> own, LinkedHashMap<String, Rows> states) implements Serializable {

    /** Of a block without nodes. */
    static final BlockState NOTHING =
            new BlockState(new Rows(0, new float[0]), new ArrayList<>(), new LinkedHashMap<>());

    /** Collects what a stage computes; copies every tensor to the heap once. */
    static final class Keeper implements Network.StateListener {

        private final Map<String, Rows> earlier;
        private final IdentityHashMap<Tensor, Rows> copies = new IdentityHashMap<>();
        private final Map<String, Tensor> states = new LinkedHashMap<>();

        /** @param before what nodes held before */
        Keeper(BlockState before) {
            this.earlier = before.states;
        }

        /** A tensor that was made from rows need not be copied again. */
        Tensor loaded(Rows rows, Tensor tensor) {
            copies.put(tensor, rows);
            return tensor;
        }

        @Override
        public void state(String name, Tensor values) {
            states.put(name, values);
        }

        private Rows copy(Tensor tensor) {
            return copies.computeIfAbsent(tensor, Rows::of);
        }

        BlockState keep(Held held) {
            LinkedHashMap<String, Rows> all = new LinkedHashMap<>(earlier);
            states.forEach((name, tensor) -> all.put(name, copy(tensor)));
            Rows heard = copy(held.heard());
            ArrayList<Rows> own = new ArrayList<>();
            held.own().forEach(tensor -> own.add(copy(tensor)));
            return new BlockState(heard, own, all);
        }

        /** What a network says in the end. */
        Forward forward(Tensor logits, boolean isEvidential) {
            List<Forward.State> all = new ArrayList<>();
            earlier.forEach((name, rows) -> all.add(new Forward.State(name, rows.matrix())));
            states.forEach((name, tensor) -> all.add(new Forward.State(name, tensor.toMatrix())));
            DenseMatrix matrix = logits.toMatrix();
            if (matrix.firstNotFinite() != null) {
                throw new BadInput("nodes: the features are so large that the model overflows");
            }
            return new Forward(matrix, all, isEvidential ? matrix : null);
        }
    }
}
