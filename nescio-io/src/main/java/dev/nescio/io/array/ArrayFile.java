// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.array;

import dev.nescio.graph.NodeSet;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.io.table.NumberTable;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.problem.BadInput;
import dev.nescio.problem.BadModelFile;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Matrices and masks that were made elsewhere: npy, npz, safetensors, Parquet and CSV. {@code FILE:NAME} means one array of an
 * npz or safetensors file.
 */
public final class ArrayFile {

    private ArrayFile() {}

    /** All matrices that some files hold, in their order. */
    public static List<DenseMatrix> matrices(List<String> sources) {
        List<DenseMatrix> matrices = new ArrayList<>();
        for (String source : sources) {
            Named named = Named.of(source);
            for (Map.Entry<String, NdArray> entry : arrays(named).entrySet()) {
                matrices.add(matrix(
                        entry.getValue(), named.file + (entry.getKey().isEmpty() ? "" : ": '" + entry.getKey() + "'")));
            }
        }
        return matrices;
    }

    /** The only matrix of a file. */
    public static DenseMatrix matrix(String source) {
        List<DenseMatrix> matrices = matrices(List.of(source));
        if (matrices.size() != 1) {
            throw new BadInput(source + " holds " + matrices.size() + " arrays; name one of them as FILE:NAME");
        }
        return matrices.get(0);
    }

    /** Whole numbers, one per node. */
    public static int[] numbers(String source) {
        DenseMatrix matrix = matrix(source);
        int[] numbers = new int[matrix.values().length];
        for (int i = 0; i < numbers.length; i++) {
            float value = matrix.values()[i];
            if (value != Math.rint(value) || Math.abs(value) > 1 << 24) {
                throw new BadInput(source + " holds " + value + " at position " + i + ", expected a whole number");
            }
            numbers[i] = (int) value;
        }
        return numbers;
    }

    /** A mask with one entry per node, or the numbers of the nodes that are meant. */
    public static NodeSet nodes(String source, int nodes) {
        if (matrix(source).columns() != 1) {
            throw new BadInput(
                    source + " has " + matrix(source).columns() + " columns; name one mask, or numbers of nodes");
        }
        int[] values = numbers(source);
        boolean isMask = values.length == nodes && Arrays.stream(values).allMatch(v -> v == 0 || v == 1);
        if (isMask) {
            return NodeSet.where(nodes, i -> values[i] == 1);
        }
        if (values.length > 2 && Arrays.stream(values).allMatch(v -> v == 0 || v == 1)) {
            throw new BadInput(source + " looks like a mask of " + values.length + " nodes, but there are " + nodes);
        }
        for (int value : values) {
            if (value < 0 || value >= nodes) {
                throw new BadInput(source + " names node " + value + ", but node numbers go from 0 to " + (nodes - 1)
                        + "; a mask would have " + nodes + " entries, all 0 or 1");
            }
        }
        return NodeSet.of(values);
    }

    private record Named(Path file, String key) {

        /** A colon separates an array from its file, unless there is a file with such a name. */
        static Named of(String source) {
            int colon = source.lastIndexOf(':');
            try {
                if (colon <= 0 || Files.exists(Path.of(source))) {
                    return new Named(Path.of(source), "");
                }
                return new Named(Path.of(source.substring(0, colon)), source.substring(colon + 1));
            } catch (InvalidPathException e) {
                throw new BadInput("'" + source + "' cannot be the name of a file here: " + e.getReason(), e);
            }
        }
    }

    private static Map<String, NdArray> arrays(Named named) {
        Path file = named.file;
        if (!Files.isRegularFile(file)) {
            throw new BadInput(file + " does not exist or is not a file");
        }
        String name = file.toString();
        Map<String, NdArray> all;
        if (name.endsWith(".npz")) {
            all = npz(file, named.key);
        } else if (name.endsWith(".safetensors")) {
            all = safetensors(file);
        } else if (name.endsWith(".npy")) {
            return Map.of("", Npy.readFloats(file));
        } else if (name.matches(".*\\.(csv|csv\\.gz|tsv|parquet)")) {
            return Map.of("", NdArray.of(NumberTable.read(file)));
        } else {
            throw new BadInput(file + " is not an array: its name should end in npy, npz, safetensors, parquet or csv");
        }
        if (named.key.isEmpty()) {
            return all;
        }
        if (!all.containsKey(named.key)) {
            throw new BadInput(file + " has no array '" + named.key + "'; it has " + String.join(", ", all.keySet()));
        }
        return Map.of(named.key, all.get(named.key));
    }

    /** @param wanted the only array to read, if it is there; empty for all */
    private static Map<String, NdArray> npz(Path file, String wanted) {
        try (Npz npz = Npz.open(file)) {
            Map<String, NdArray> all = new TreeMap<>();
            if (npz.has(wanted)) {
                return Map.of(wanted, npz.floats(wanted));
            }
            npz.keys().forEach(key -> all.put(key, npz.floats(key)));
            return all;
        }
    }

    private static Map<String, NdArray> safetensors(Path file) {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
            return Safetensors.read(in, file.toString(), Files.size(file));
        } catch (BadModelFile e) {
            throw new BadInput(e.getMessage(), e);
        } catch (EOFException e) {
            throw new BadInput(file + " is cut off", e);
        } catch (IOException e) {
            throw new BadInput(file + " cannot be read: " + AtomicFile.reason(e), e);
        }
    }

    private static DenseMatrix matrix(NdArray array, String place) {
        int[] shape = array.shape();
        if (shape.length < 1 || shape.length > 2) {
            throw new BadInput(place + " has shape " + Arrays.toString(shape) + ", expected a row per node");
        }
        return DenseMatrix.of(shape[0], shape.length == 1 ? 1 : shape[1], floats(array));
    }

    private static float[] floats(NdArray array) {
        if (array instanceof NdArray.Floats floats) {
            return floats.values();
        }
        float[] values;
        if (array instanceof NdArray.Doubles doubles) {
            values = new float[doubles.values().length];
            for (int i = 0; i < values.length; i++) {
                values[i] = (float) doubles.values()[i];
            }
        } else if (array instanceof NdArray.Ints ints) {
            values = new float[ints.values().length];
            for (int i = 0; i < values.length; i++) {
                values[i] = ints.values()[i];
            }
        } else {
            boolean[] flags = ((NdArray.Booleans) array).values();
            values = new float[flags.length];
            for (int i = 0; i < values.length; i++) {
                values[i] = flags[i] ? 1 : 0;
            }
        }
        return values;
    }
}
