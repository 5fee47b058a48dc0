// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.block;

import dev.nescio.graph.BlockGraph;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.model.Forward;
import dev.nescio.model.Model;
import dev.nescio.model.Network;
import dev.nescio.model.Pass;
import dev.nescio.model.layer.FeatureTensor;
import dev.nescio.model.layer.Held;
import dev.nescio.model.layer.Round;
import dev.nescio.model.layer.Weights;
import dev.nescio.problem.BadInput;
import dev.nescio.progress.Progress;
import dev.nescio.tensor.Arena;
import dev.nescio.tensor.Dropout;
import dev.nescio.tensor.Gradients;
import dev.nescio.tensor.NativeRows;
import dev.nescio.tensor.Scope;
import dev.nescio.tensor.Tensor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One pass of a trained network over a graph that need not fit into memory. Every stage runs over all nodes, block by block, before the
 * next one begins; what nodes hold between two stages lies in files. What neighbours hear is kept in native memory where it fits, and
 * read from its file where it does not.
 */
public final class BlockPass {

    /** The part of the memory that what neighbours hear may take. */
    private static final double RESIDENT_SHARE = 0.65;
    /** Matrices of the size of a block that a stage holds at a time, about. */
    private static final int COPIES = 10;

    private final Model model;
    private final BlockGraph graph;
    private final UnaryOperator<Matrix> preparation;
    private final Options options;
    private final Blocks blocks;
    private final Set<RowFile> open = new HashSet<>();
    private int files;

    private BlockPass(Model model, BlockGraph graph, UnaryOperator<Matrix> preparation, Options options) {
        this.model = model;
        this.graph = graph;
        this.preparation = preparation;
        this.options = options;
        this.blocks = new Blocks(graph);
    }

    /**
     * How to run.
     *
     * @param folder for files, which are gone when the pass is over
     * @param memory about as many bytes may be used
     * @param blockNodes nodes of a block; 0 for as many as the memory allows
     */
    public record Options(Path folder, long memory, int blockNodes) {}

    /** Is told what a network says about the nodes of a block. */
    @FunctionalInterface
    public interface Listener {

        /** @param from the first node of the block; the others follow */
        void block(int from, Forward forward);
    }

    /**
     * Runs a pass and tells every block of nodes once, in order.
     *
     * @param preparation of features, row by row
     */
    public static void run(
            Model model,
            BlockGraph graph,
            UnaryOperator<Matrix> preparation,
            Options options,
            Listener listener,
            Progress progress) {
        if (graph.features() != model.shape().features()) {
            throw new BadInput(graph.name() + " has " + graph.features()
                    + " features per node, but the model was trained on "
                    + model.shape().features());
        }
        BlockPass pass = new BlockPass(model, graph, preparation, options);
        try {
            pass.run(listener, progress);
        } finally {
            pass.open.forEach(RowFile::close);
        }
    }

    /** Bytes that the files of a pass take at most, about: states, and what nodes hold between two stages. */
    public static long diskBytes(Model model, BlockGraph graph) {
        long width = Math.max(model.options().hidden(), model.shape().classes());
        int states = model.architecture().states(model.options());
        return Float.BYTES * width * graph.nodes() * (states + 4L);
    }

    /**
     * What a stage has left behind.
     *
     * @param heard by neighbours
     * @param own what only the nodes themselves need
     * @param states by name
     */
    private record Left(RowFile heard, List<RowFile> own, Map<String, RowFile> states) {}

    private void run(Listener listener, Progress progress) {
        try (Weights weights = Weights.of(model.parameters())) {
            Network network = model.architecture().network(weights, model.shape(), model.options());
            Pass pass = network.pass(Dropout.OFF);
            int rounds = network.layers();
            long total = (long) graph.nodes() * (rounds + 1);
            Left left = input(pass, rounds == 0, listener, progress, total);
            for (int round = 1; round <= rounds; round++) {
                left = round(pass, round, round == rounds, Objects.requireNonNull(left), listener, progress, total);
            }
        }
    }

    /** @return null where there is no stage behind this one */
    private @Nullable Left input(Pass pass, boolean isLast, Listener listener, Progress progress, long total) {
        Stage stage = new Stage(null);
        int width = Math.max(graph.features(), model.options().hidden());
        for (int from = 0; from < graph.nodes(); ) {
            int end = (int)
                    Math.min(graph.nodes(), from + (options.blockNodes > 0 ? options.blockNodes : rows(width, 0)));
            int begin = from;
            int count = end - from;
            try (Arena arena = new Arena()) {
                FeatureTensor features = FeatureTensor.of(preparation.apply(graph.features(begin, count)), arena);
                Forward forward = Scope.run(() ->
                        Gradients.off(() -> next(pass, stage, begin, count, pass.input(features, stage), isLast)));
                if (forward != null) {
                    listener.block(begin, forward);
                }
            }
            progress.at(end, total);
            from = end;
        }
        return isLast ? null : stage.left();
    }

    /** What comes of a stage: the forward pass where it is the last one. */
    private static @Nullable Forward next(Pass pass, Stage stage, int from, int count, Held held, boolean isLast) {
        if (isLast) {
            return stage.forward(from, count, pass.output(held, stage));
        }
        stage.keep(from, held);
        return null;
    }

    private Left round(
            Pass pass, int round, boolean isLast, Left before, Listener listener, Progress progress, long total) {
        Stage stage = new Stage(before);
        long bytes = Float.BYTES * (long) graph.nodes() * before.heard.columns();
        boolean isResident = bytes <= RESIDENT_SHARE * options.memory
                && (long) graph.nodes() * before.heard.columns() < Integer.MAX_VALUE;
        int width = Math.max(
                before.heard.columns(),
                model.options().hidden() * model.options().multiplier());
        long mostRows = rows(width, isResident ? bytes : 0);
        try (NativeRows resident = isResident ? resident(before.heard) : null) {
            for (int from = 0; from < graph.nodes(); ) {
                int end = options.blockNodes > 0
                        ? Math.min(graph.nodes(), from + options.blockNodes)
                        : blocks.end(from, mostRows);
                int begin = from;
                int count = end - from;
                Blocks.Surroundings around = blocks.of(begin, count, !isResident);
                try (Arena arena = new Arena()) {
                    Round messages = new Round(around.neighbourhood(), arena);
                    Forward forward = Scope.run(() -> Gradients.off(() -> {
                        Held now = held(before, resident, around.sources(), begin, count, stage);
                        return next(pass, stage, begin, count, pass.round(round, now, messages, stage), isLast);
                    }));
                    if (forward != null) {
                        listener.block(begin, forward);
                    }
                }
                progress.at((long) round * graph.nodes() + end, total);
                from = end;
            }
        }
        return isLast ? before : stage.left();
    }

    /** Rows that a block may have, where so many bytes are taken already. */
    private long rows(int width, long taken) {
        long free = Math.max(options.memory / 8, (options.memory - taken) / 2);
        return Math.max(1, free / ((long) Float.BYTES * width * COPIES));
    }

    private NativeRows resident(RowFile heard) {
        NativeRows rows = new NativeRows(graph.nodes(), heard.columns());
        int atATime = Math.max(1, (1 << 22) / heard.columns());
        for (int from = 0; from < graph.nodes(); from += atATime) {
            rows.put(from, heard.read(from, Math.min(atATime, graph.nodes() - from)));
        }
        return rows;
    }

    private static Held held(
            Left before, @Nullable NativeRows resident, int[] sources, int from, int count, Stage stage) {
        Tensor heard = resident != null
                ? resident.select(sources)
                : Tensor.of(before.heard.gather(sources), sources.length, before.heard.columns());
        List<Tensor> own = new ArrayList<>();
        for (RowFile file : before.own) {
            Tensor tensor = file == before.heard
                    ? heard.firstRows(count)
                    : Tensor.of(file.read(from, count), count, file.columns());
            stage.loaded(tensor, file);
            own.add(tensor);
        }
        return new Held(heard, own);
    }

    /** Takes what a stage computes, block by block, and writes each tensor once, however often it is used. */
    private final class Stage implements Network.StateListener {

        private final Map<String, RowFile> earlier;
        private final IdentityHashMap<Tensor, RowFile> known = new IdentityHashMap<>();
        private final Map<String, Tensor> states = new LinkedHashMap<>();
        private final List<RowFile> slots = new ArrayList<>();
        private int next;
        private @Nullable Left left;

        Stage(@Nullable Left before) {
            this.earlier = before == null ? Map.of() : before.states;
        }

        /** A tensor that came from a file need not be written again. */
        void loaded(Tensor tensor, RowFile file) {
            known.put(tensor, file);
        }

        @Override
        public void state(String name, Tensor values) {
            states.put(name, values);
        }

        /** The tensors of every block come in the same order. */
        void keep(int from, Held held) {
            next = 0;
            Map<String, RowFile> named = new LinkedHashMap<>(earlier);
            states.forEach((name, tensor) -> named.put(name, file(from, tensor)));
            RowFile heard = file(from, held.heard());
            List<RowFile> own =
                    held.own().stream().map(tensor -> file(from, tensor)).toList();
            left = new Left(heard, own, named);
            known.clear();
            states.clear();
        }

        private RowFile file(int from, Tensor tensor) {
            RowFile file = known.get(tensor);
            if (file == null) {
                if (next == slots.size()) {
                    RowFile made = new RowFile(options.folder.resolve("rows-" + files++), tensor.columns());
                    open.add(made);
                    slots.add(made);
                }
                file = slots.get(next++);
                file.write(from, tensor.toFloats());
                known.put(tensor, file);
            }
            return file;
        }

        /** All states of a block, those of earlier stages from their files. */
        Forward forward(int from, int count, Tensor logits) {
            List<Forward.State> all = new ArrayList<>();
            earlier.forEach((name, file) ->
                    all.add(new Forward.State(name, DenseMatrix.of(count, file.columns(), file.read(from, count)))));
            states.forEach((name, tensor) -> all.add(new Forward.State(name, tensor.toMatrix())));
            states.clear();
            known.clear();
            DenseMatrix matrix = logits.toMatrix();
            if (matrix.firstNotFinite() != null) {
                throw new BadInput(graph.name() + ": the features are so large that the model overflows");
            }
            return new Forward(matrix, all, model.architecture().isEvidential() ? matrix : null);
        }

        /** Files that no later stage needs are gone. */
        Left left() {
            Left result = Objects.requireNonNull(left, "a graph has nodes");
            Set<RowFile> needed = new HashSet<>(result.states.values());
            needed.add(result.heard);
            needed.addAll(result.own);
            open.stream().filter(file -> !needed.contains(file)).forEach(RowFile::close);
            open.retainAll(needed);
            return result;
        }
    }
}
