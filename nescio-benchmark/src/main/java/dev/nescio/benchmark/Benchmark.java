// SPDX-License-Identifier: Apache-2.0
package dev.nescio.benchmark;

import dev.nescio.tensor.Engine;
import picocli.CommandLine;

/** Runs one benchmark and prints one line of JSON. */
@CommandLine.Command(
        name = "benchmark",
        mixinStandardHelpOptions = true,
        subcommands = {
            EpochBenchmark.class,
            EagerBenchmark.class,
            EagerScore.class,
            EagerEstimators.class,
            ThroughputBenchmark.class,
            ScoreBenchmark.class,
            ServeBenchmark.class,
            EstimatorsBenchmark.class,
            ScaleBenchmark.class,
            BlocksBenchmark.class,
            OrderBenchmark.class,
            SamplingBenchmark.class,
            GrowthBenchmark.class,
            ValidityBenchmark.class,
            DriftAlarms.class,
            MemorySlope.class,
            NearNoise.class,
            OutliersBenchmark.class,
            StateShares.class,
            StateChoice.class
        })
public final class Benchmark {

    private Benchmark() {}

    public static void main(String[] args) {
        Engine.tuneProcess();
        System.exit(new CommandLine(new Benchmark()).execute(args));
    }
}
