package dev.nescio.uncertainty;

/** Learns what is ordinary. Immutable: fitting returns a new object. */
public interface Estimator {

    /** What the command line and saved models call it. */
    String name();

    FittedEstimator fit(Evidence evidence);
}
