// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph.split;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import java.util.BitSet;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Random splits that keep the class proportions: each class is shuffled and cut by itself. Nodes without a label belong
 * to no set.
 *
 * @param name of the rule
 * @param train share of each class that teaches
 * @param validation share of each class for early stopping
 * @param sequential whether each share applies to what the earlier ones have left, and 80 % of the last rest is tested
 *     (the rule of the Graph Posterior Network), rather than to the whole class with all the rest tested
 */
public record StratifiedSplit(String name, double train, double validation, boolean sequential) implements SplitRule {

    /** 5 % training, 15 % validation, 80 % test: the citation graphs of the paper. */
    public static final StratifiedSplit CITATION = new StratifiedSplit("stratified", 0.05, 0.15, false);

    static final StratifiedSplit SEQUENTIAL = new StratifiedSplit("sequential", 0.05, 0.15, true);

    private static final double SEQUENTIAL_TEST_SHARE = 0.8;

    /** Refuses a share that is not above 0, and two that leave nothing for the test. */
    public StratifiedSplit {
        if (!(train > 0) || !(validation > 0) || !(train + validation < 1)) {
            throw new BadConfiguration(
                    "the shares of training and validation nodes must be positive and leave something"
                            + " for the test, got " + train + " and " + validation);
        }
    }

    @Override
    public String summary() {
        return String.format(
                Locale.ROOT,
                sequential
                        ? "%.0f %% training; %.0f %% of the rest validation, 80 %% of what is left then test, class by class"
                        : "%.0f %% training, %.0f %% validation, the rest test, class by class",
                100 * train,
                100 * validation);
    }

    @Override
    public Split draw(Graph graph, int seed) {
        Rng rng = new Seed(seed).split("split").rng();
        int[] labels = graph.labels();
        BitSet[] sets = {new BitSet(), new BitSet(), new BitSet()};
        for (int c = 0; c < graph.classes().size(); c++) {
            int[] members = membersOf(labels, c);
            rng.shuffle(members);
            int inTrain = (int) (train * members.length);
            int left = sequential ? members.length - inTrain : members.length;
            int inValidation = (int) (validation * left);
            int rest = members.length - inTrain - inValidation;
            int inTest = sequential ? (int) (SEQUENTIAL_TEST_SHARE * rest) : rest;
            int[] sizes = {inTrain, inValidation, inTest};
            int next = 0;
            for (int s = 0; s < sizes.length; s++) {
                for (int i = 0; i < sizes[s]; i++) {
                    sets[s].set(members[next++]);
                }
            }
        }
        return new Split(name + ":" + seed, toNodes(sets[0]), toNodes(sets[1]), toNodes(sets[2]));
    }

    private static int[] membersOf(int[] labels, int label) {
        return IntStream.range(0, labels.length).filter(i -> labels[i] == label).toArray();
    }

    private static NodeSet toNodes(BitSet set) {
        return NodeSet.of(set.stream().toArray());
    }
}
