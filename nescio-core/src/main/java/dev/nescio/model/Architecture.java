package dev.nescio.model;

/** A kind of network, known by name in {@link Architectures}. Has no state. */
public interface Architecture {

    /** What the command line and saved models call it. */
    String name();

    /** How many hidden states the network has. */
    int states(ModelOptions options);

    /** Whether {@link Forward#concentrations} are there. */
    default boolean isEvidential() {
        return false;
    }

    /** The network with parameters from {@code weights}, drawn or stored. */
    Network network(Weights weights, Shape shape, ModelOptions options);

    /** What the data ask of a network. */
    record Shape(int features, int classes) {}
}
