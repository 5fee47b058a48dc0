// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.block;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.model.Forward;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;

/** What a network says about the nodes of a block, in the order of their ids, in a form that can travel. */
@DefaultSerializer(JavaSerializer.class)
public final class BlockForward implements Serializable {

    private final Rows logits;
    private final LinkedHashMap<String, Rows> states = new LinkedHashMap<>();
    private final boolean isEvidential;

    private BlockForward(Rows logits, boolean isEvidential) {
        this.logits = logits;
        this.isEvidential = isEvidential;
    }

    static BlockForward of(Forward forward) {
        BlockForward made = new BlockForward(rows(forward.logits()), forward.concentrations() != null);
        forward.states().forEach(state -> made.states.put(state.name(), rows(state.values())));
        return made;
    }

    private static Rows rows(DenseMatrix matrix) {
        return new Rows(matrix.columns(), matrix.values());
    }

    /** The same as estimators see it; nothing is copied. */
    public Forward forward() {
        DenseMatrix said = logits.matrix();
        List<Forward.State> all = states.entrySet().stream()
                .map(entry -> new Forward.State(entry.getKey(), entry.getValue().matrix()))
                .toList();
        return new Forward(said, all, isEvidential ? said : null);
    }
}
