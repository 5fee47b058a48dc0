// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.detector;

import dev.nescio.io.array.Safetensors;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.matrix.NdArray;
import dev.nescio.model.Architecture;
import dev.nescio.model.Model;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.training.Trainer;
import dev.nescio.problem.BadModelFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** One trained network in a safetensors file, with how its training went; whoever reads it knows what it is. */
public final class NetworkFile {

    private static final String TRAINING = "training";

    private NetworkFile() {}

    /**
     * A network that was read.
     *
     * @param seconds that its training took; not a number where an older version has written the file
     */
    public record Saved(Trainer.Result result, double seconds) {}

    /** Writes the parameters and the record of the training, whole or not at all; an older file is replaced. */
    public static void write(Path file, Trainer.Result result, double seconds) {
        Map<String, NdArray> arrays = new TreeMap<>(result.model().parameters());
        arrays.put(
                TRAINING,
                NdArray.of(
                        result.epochs(),
                        result.bestEpoch(),
                        result.validationAccuracy(),
                        result.validationLoss(),
                        seconds));
        AtomicFile.write(file, out -> Safetensors.write(out, arrays));
    }

    /**
     * Reads what {@link #write} wrote; architecture, shape and options must be those that the network was trained with. Refuses a
     * file that is damaged or has no record of its training.
     */
    public static Saved read(Path file, Architecture architecture, Architecture.Shape shape, ModelOptions options) {
        try (InputStream in = Files.newInputStream(file)) {
            Map<String, NdArray> arrays = new HashMap<>(Safetensors.read(in, file.toString(), Files.size(file)));
            if (!(arrays.remove(TRAINING) instanceof NdArray.Doubles training) || training.values().length < 3) {
                throw new BadModelFile(file + " has no record of its training");
            }
            double[] values = training.values();
            Trainer.Result result = new Trainer.Result(
                    new Model(architecture, shape, options, arrays),
                    (int) values[0],
                    (int) values[1],
                    values[2],
                    values.length > 3 ? values[3] : Double.NaN);
            return new Saved(result, values.length > 4 ? values[4] : Double.NaN);
        } catch (IOException e) {
            throw new BadModelFile(file + " cannot be read: " + AtomicFile.reason(e), e);
        }
    }
}
