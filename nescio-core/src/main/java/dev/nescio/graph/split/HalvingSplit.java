// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph.split;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.problem.BadInput;
import dev.nescio.random.MersenneTwister;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Half of the nodes for training, a quarter for validation, a quarter for the test, in the proportions of the classes: the
 * rule that made the published splits of Roman Empire, Amazon Ratings, Questions, Minesweeper and Tolokers, bit for bit.
 * They were drawn by scikit-learn's {@code train_test_split} with seeds 0 to 9, once for the training nodes and once for
 * the halves of the rest.
 */
public final class HalvingSplit implements SplitRule {

    @Override
    public String name() {
        return "halving";
    }

    @Override
    public String summary() {
        return "50 % training, 25 % validation, 25 % test, as the published splits of the heterophilous graphs; needs all labels";
    }

    @Override
    public Split draw(Graph graph, int seed) {
        String name = name() + ":" + seed;
        int[] labels = graph.labels();
        int classes = graph.classes().size();
        for (int v = 0; v < labels.length; v++) {
            if (labels[v] < 0) {
                throw new BadInput("split '" + name + "' needs the label of every node, but node "
                        + graph.ids().name(v) + " has none; stratified:" + seed + " splits the labelled nodes");
            }
        }
        int[][] training = halves(IntStream.range(0, labels.length).toArray(), labels, classes, seed);
        int[][] rest = halves(training[1], labels, classes, seed);
        return new Split(name, NodeSet.of(training[0]), NodeSet.of(rest[0]), NodeSet.of(rest[1]));
    }

    /** Two halves of some nodes, each in random order, which the next draw depends on. */
    private static int[][] halves(int[] nodes, int[] labels, int classes, int seed) {
        int[][] members = new int[classes][];
        for (int c = 0; c < classes; c++) {
            int label = c;
            members[c] = Arrays.stream(nodes).filter(v -> labels[v] == label).toArray();
        }
        MersenneTwister random = new MersenneTwister(seed);
        int[] sizes = Arrays.stream(members).mapToInt(m -> m.length).toArray();
        int firstSize = nodes.length / 2;
        int[] inFirst = shares(sizes, firstSize, random);
        int[] left = IntStream.range(0, classes).map(c -> sizes[c] - inFirst[c]).toArray();
        int[] inSecond = shares(left, nodes.length - firstSize, random);
        int[] first = new int[firstSize];
        int[] second = new int[nodes.length - firstSize];
        int firstNext = 0;
        int secondNext = 0;
        for (int c = 0; c < classes; c++) {
            int[] order = random.permutation(sizes[c]);
            for (int i = 0; i < inFirst[c]; i++) {
                first[firstNext++] = members[c][order[i]];
            }
            for (int i = inFirst[c]; i < inFirst[c] + inSecond[c]; i++) {
                second[secondNext++] = members[c][order[i]];
            }
        }
        random.shuffle(first);
        random.shuffle(second);
        return new int[][] {first, second};
    }

    /** How many of each class make up so many in all: rounded down, then one more where the most was cut off. */
    private static int[] shares(int[] sizes, int all, MersenneTwister random) {
        double sum = Arrays.stream(sizes).sum();
        double[] cutOff = new double[sizes.length];
        int[] shares = new int[sizes.length];
        for (int c = 0; c < sizes.length; c++) {
            double exact = sizes[c] / sum * all;
            shares[c] = (int) Math.floor(exact);
            cutOff[c] = exact - shares[c];
        }
        int missing = all - Arrays.stream(shares).sum();
        double[] values = Arrays.stream(cutOff)
                .distinct()
                .boxed()
                .sorted(Comparator.reverseOrder())
                .mapToDouble(v -> v)
                .toArray();
        for (int i = 0; i < values.length && missing > 0; i++) {
            double value = values[i];
            int[] equal = IntStream.range(0, sizes.length)
                    .filter(c -> cutOff[c] == value)
                    .toArray();
            int[] order = random.permutation(equal.length);
            for (int k = 0; k < equal.length && missing > 0; k++, missing--) {
                shares[equal[order[k]]]++;
            }
        }
        return shares;
    }
}
