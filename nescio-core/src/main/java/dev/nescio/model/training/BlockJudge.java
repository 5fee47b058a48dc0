// SPDX-License-Identifier: Apache-2.0
package dev.nescio.model.training;

import dev.nescio.graph.BlockGraph;
import dev.nescio.graph.NodeSet;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.Matrix;
import dev.nescio.model.Model;
import dev.nescio.model.block.BlockPass;
import dev.nescio.progress.Progress;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Judges by a pass over the whole graph, block by block: for validation nodes whose surroundings do not fit into memory. */
final class BlockJudge implements Judgement.Judge {

    private final BlockGraph graph;
    private final UnaryOperator<Matrix> preparation;
    private final int[] labels;
    private final NodeSet validation;
    private final BlockPass.Options options;
    private final Supplier<Model> now;

    /** @param now the model with the weights as they are */
    BlockJudge(
            BlockGraph graph,
            UnaryOperator<Matrix> preparation,
            int[] labels,
            NodeSet validation,
            BlockPass.Options options,
            Supplier<Model> now) {
        this.graph = graph;
        this.preparation = preparation;
        this.labels = labels;
        this.validation = validation;
        this.options = options;
        this.now = now;
    }

    @Override
    public Judgement judge() {
        Sum sum = new Sum();
        BlockPass.run(
                now.get(),
                graph,
                preparation,
                options,
                (from, forward) -> {
                    for (int i = 0; i < forward.nodes(); i++) {
                        if (validation.contains(from + i)) {
                            sum.add(forward.logits(), i, labels[from + i]);
                        }
                    }
                },
                Progress.NONE);
        return new Judgement((double) sum.right / validation.size(), sum.loss / validation.size());
    }

    private static final class Sum {

        private long right;
        private double loss;

        void add(DenseMatrix logits, int row, int label) {
            int largest = 0;
            for (int c = 1; c < logits.columns(); c++) {
                largest = logits.get(row, c) > logits.get(row, largest) ? c : largest;
            }
            double most = logits.get(row, largest);
            double total = 0;
            for (int c = 0; c < logits.columns(); c++) {
                total += Math.exp(logits.get(row, c) - most);
            }
            right += largest == label ? 1 : 0;
            loss += most + Math.log(total) - logits.get(row, label);
        }
    }

    @Override
    public void close() {}
}
