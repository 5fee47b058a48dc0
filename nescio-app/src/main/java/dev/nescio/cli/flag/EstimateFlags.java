// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.flag;

import dev.nescio.information.LayerInformation;
import picocli.CommandLine.Option;

/** What estimates of information depend on. */
public final class EstimateFlags {

    @Option(names = "--k", defaultValue = "5", description = "Neighbours of the same label (default ${DEFAULT-VALUE}).")
    public int k;

    @Option(
            names = "--dimensions",
            defaultValue = "10",
            description = "Number of principal components kept per state (default ${DEFAULT-VALUE}).")
    public int dimensions;

    @Option(
            names = "--permutations",
            defaultValue = "10",
            description = "Number of label permutations for the baseline (default ${DEFAULT-VALUE}).")
    public int permutations;

    @Option(names = "--seed", defaultValue = "0", description = "Random seed (default ${DEFAULT-VALUE}).")
    public long seed;

    public LayerInformation.Options options() {
        return new LayerInformation.Options(k, dimensions, permutations, seed);
    }
}
