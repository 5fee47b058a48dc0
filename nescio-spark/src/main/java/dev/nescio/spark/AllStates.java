// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark;

import dev.nescio.model.Model;
import dev.nescio.spark.block.BlockForward;
import dev.nescio.spark.block.ModelPass;
import dev.nescio.uncertainty.Population;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;

/** What models say about all nodes: computed by all cores when it is first looked at, and kept to be looked at again. */
final class AllStates implements AutoCloseable {

    private final Function<Model, ModelPass> pass;
    private final List<JavaRDD<BlockForward>> kept = new ArrayList<>();

    AllStates(Function<Model, ModelPass> pass) {
        this.pass = pass;
    }

    /** Blocks come to the driver one by one. */
    Population of(Model model) {
        List<JavaRDD<BlockForward>> computed = new ArrayList<>();
        return block -> {
            if (computed.isEmpty()) {
                computed.add(computed(model));
            }
            computed.get(0)
                    .toLocalIterator()
                    .forEachRemaining(said -> block.accept(said.forward().matrices()));
        };
    }

    private JavaRDD<BlockForward> computed(Model model) {
        ModelPass rounds = pass.apply(model);
        JavaRDD<BlockForward> said = rounds.forwards(ModelPass.Listener.NONE).persist(StorageLevel.MEMORY_AND_DISK());
        kept.add(said);
        said.count();
        rounds.forget();
        return said;
    }

    @Override
    public void close() {
        kept.forEach(said -> said.unpersist(false));
    }
}
