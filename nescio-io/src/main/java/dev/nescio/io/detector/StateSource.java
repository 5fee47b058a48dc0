// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.detector;

import dev.nescio.graph.Graph;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.uncertainty.Evidence;
import java.nio.file.Path;
import java.util.ServiceLoader;

/** Runs a network of another kind and shows its hidden states. Found by {@link ServiceLoader}: optional modules bring them. */
public interface StateSource {

    /** What kind of models it runs: {@code onnx}. */
    String kind();

    /** The version of what runs such models; starts it. */
    String version();

    /** A model with everything that it needs, from its file and from files beside it. */
    byte[] load(Path model);

    /** Hidden states and, where the model has them, logits of every node. */
    Evidence run(byte[] model, String name, Graph graph);

    /** The source of a kind, where its module is there. */
    static StateSource of(String kind) {
        return ServiceLoader.load(StateSource.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(source -> source.kind().equals(kind))
                .findFirst()
                .orElseThrow(() -> new BadConfiguration(
                        "models of kind " + kind + " need the module nescio-" + kind + " on the class path"));
    }
}
