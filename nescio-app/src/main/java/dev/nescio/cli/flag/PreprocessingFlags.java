package dev.nescio.cli.flag;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Preprocessing;
import dev.nescio.graph.Split;
import dev.nescio.problem.BadInput;
import picocli.CommandLine.Option;

/** How the features of a graph are prepared. */
public final class PreprocessingFlags {

    @Option(names = "--binary", description = "Turn every positive feature into 1 and every other one into 0.")
    public boolean binary;

    @Option(
            names = "--normalise",
            paramLabel = "NORM",
            defaultValue = "none",
            description = "Scale each feature row: none (default), l1 or l2.")
    Preprocessing.RowNorm rows;

    public Preprocessing preprocessing() {
        return new Preprocessing(binary, rows);
    }

    /** Refuses what cannot be trained; a graph speaks of itself by its name, a user wants to know the file. */
    public static void requireTrainable(String source, Graph graph, Split split, DetectorOptions options) {
        try {
            Detector.requireTrainable(graph, split, options);
        } catch (BadInput e) {
            boolean isNamed = e.getMessage().startsWith(graph.name());
            throw isNamed
                    ? new BadInput(
                            source + e.getMessage().substring(graph.name().length()), e)
                    : e;
        }
    }
}
