// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph.split;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import java.util.Arrays;
import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Random splits of the labelled nodes by percentages, class by class; written {@code 60/20/20} or {@code 60/20/20:SEED}. Every class has
 * a training node. What a small class cannot give to a set by whole nodes, the next class makes up for, so that the sets as a whole have
 * their shares. Nodes without a label belong to no set.
 *
 * @param train percent of the labelled nodes to learn from
 * @param validation percent to choose the epoch and the thresholds with
 * @param test percent to judge by; where all three make less than 100, the other nodes are left out
 */
public record SharesSplit(int train, int validation, int test) implements SplitRule {

    /** Most labels teach: what somebody with a table of their own wants. */
    public static final SharesSplit MOST = new SharesSplit(60, 20, 20);

    private static final Pattern FORM = Pattern.compile("(\\d{1,3})/(\\d{1,3})/(\\d{1,3})");

    /** Fewer labelled nodes cannot be shared out. */
    private static final int FEWEST = 3;

    /** Refuses a percentage below 1, and three that make more than 100. */
    public SharesSplit {
        if (train < 1 || validation < 1 || test < 1 || train + validation + test > 100) {
            throw new BadConfiguration("a split such as 60/20/20 has three whole percentages of at least 1 that make at"
                    + " most 100, got " + train + "/" + validation + "/" + test);
        }
    }

    static boolean isWritten(String text) {
        return FORM.matcher(text).matches();
    }

    static SharesSplit parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new BadConfiguration("expected percentages such as 60/20/20, got '" + text + "'");
        }
        return new SharesSplit(
                Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)), Integer.parseInt(parts.group(3)));
    }

    @Override
    public String name() {
        return train + "/" + validation + "/" + test;
    }

    @Override
    public String summary() {
        return train + " % of the labelled nodes training, " + validation + " % validation, " + test
                + " % test, class by class; any percentages can be given";
    }

    @Override
    public Split draw(Graph graph, int seed) {
        int[] labels = graph.labels();
        long labelled = Arrays.stream(labels).filter(label -> label >= 0).count();
        if (labelled < FEWEST) {
            throw new BadConfiguration(graph.name() + " has " + labelled
                    + (labelled == 1 ? " labelled node" : " labelled nodes")
                    + "; to train, validate and test it takes at least " + FEWEST
                    + ", and several for each class");
        }
        Rng rng = new Seed(seed).split("shares").rng();
        BitSet[] sets = {new BitSet(), new BitSet(), new BitSet()};
        double[] shares = {train / 100.0, validation / 100.0, test / 100.0};
        double[] owed = new double[sets.length];
        for (int c = 0; c < graph.classes().size(); c++) {
            int label = c;
            int[] members = IntStream.range(0, labels.length)
                    .filter(v -> labels[v] == label)
                    .toArray();
            rng.shuffle(members);
            int next = 0;
            for (int s = 0; s < sets.length; s++) {
                owed[s] += shares[s] * members.length;
                int taken = (int) Math.round(owed[s]);
                taken = s == 0 ? Math.max(1, taken) : Math.max(0, taken);
                taken = Math.min(taken, members.length - next);
                owed[s] -= taken;
                for (int i = 0; i < taken; i++) {
                    sets[s].set(members[next++]);
                }
            }
        }
        return new Split(name() + ":" + seed, nodes(sets[0]), nodes(sets[1]), nodes(sets[2]));
    }

    private static NodeSet nodes(BitSet set) {
        return NodeSet.of(set.stream().toArray());
    }
}
