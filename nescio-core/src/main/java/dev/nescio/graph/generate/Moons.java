// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph.generate;

import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Two interleaved half-moons in the plane and a third class of anomalies around (1, 1), joined as in SGS-GNN: every node
 * draws {@code degree} distinct candidates from all nodes and keeps at most {@code round(degree * homophily)} of its own
 * class and at most the rest of other classes. Because candidates are drawn before the quotas apply, the homophily
 * that comes out differs from the one asked for; {@link dev.nescio.graph.Homophily} tells it.
 *
 * @param perMoon nodes in each moon, and in the class of anomalies
 * @param degree candidates per node
 * @param homophily the wished share of same-class edges, 0 to 1
 * @param noise standard deviation around the moons
 */
public record Moons(int perMoon, int degree, double homophily, double noise) {

    private static final double ANOMALY_SPREAD = Math.sqrt(0.1);

    /** Refuses empty moons, a degree that is not below the number of all nodes, and a homophily outside 0 to 1. */
    public Moons {
        if (perMoon < 1 || degree < 0 || degree >= 3L * perMoon) {
            throw new BadConfiguration(
                    "moons need at least 1 node each and a degree from 0 to the number of other nodes, got " + perMoon
                            + " nodes and degree " + degree);
        }
        Checks.size(perMoon, 6);
        Checks.size(perMoon, 3 * Math.min(degree, 1 << 20));
        Checks.share("homophily", homophily);
    }

    /** 500 nodes per class, 6 candidates per node, homophily 0.2 and noise 0.05. */
    public static Moons defaults() {
        return new Moons(500, 6, 0.2, 0.05);
    }

    /**
     * Draws a graph of {@code 3 * perMoon} nodes with two features, the same one for the same seed. Nodes are numbered class by
     * class: upper moon, lower moon, anomaly. There are no splits.
     */
    public Graph generate(long seed) {
        Rng rng = new Seed(seed).split("moons").rng();
        int nodes = 3 * perMoon;
        int[] labels = new int[nodes];
        Arrays.setAll(labels, i -> i / perMoon);
        Adjacency.Built built = edges(labels, rng);
        return Graph.builder("moons", built.adjacency())
                .notes(built.notes())
                .features(DenseMatrix.of(nodes, 2, points(rng)))
                .labels(labels, List.of("upper moon", "lower moon", "anomaly"))
                .build();
    }

    private float[] points(Rng rng) {
        double[][] points = new double[2 * perMoon][];
        double[] lowest = {Double.MAX_VALUE, Double.MAX_VALUE};
        for (int i = 0; i < 2 * perMoon; i++) {
            double angle = Math.PI * (i % perMoon) / Math.max(1, perMoon - 1);
            boolean upper = i < perMoon;
            double x = upper ? Math.cos(angle) : 1 - Math.cos(angle);
            double y = upper ? Math.sin(angle) : 0.5 - Math.sin(angle);
            points[i] = new double[] {x + noise * rng.nextGaussian(), y + noise * rng.nextGaussian()};
            lowest[0] = Math.min(lowest[0], points[i][0]);
            lowest[1] = Math.min(lowest[1], points[i][1]);
        }
        float[] values = new float[3 * perMoon * 2];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float)
                    (i / 2 < points.length
                            ? points[i / 2][i % 2] - lowest[i % 2]
                            : 1 + ANOMALY_SPREAD * rng.nextGaussian());
        }
        return values;
    }

    private Adjacency.Built edges(int[] labels, Rng rng) {
        int same = (int) Math.round(degree * homophily);
        List<int[]> kept = new ArrayList<>();
        for (int u = 0; u < labels.length; u++) {
            int[] left = {same, degree - same};
            for (int v : candidates(u, labels.length, rng)) {
                int quota = labels[u] == labels[v] ? 0 : 1;
                if (left[quota]-- > 0) {
                    kept.add(new int[] {u, v});
                }
            }
        }
        return Adjacency.undirected(
                labels.length,
                kept.stream().mapToInt(e -> e[0]).toArray(),
                kept.stream().mapToInt(e -> e[1]).toArray());
    }

    private int[] candidates(int node, int nodes, Rng rng) {
        int[] drawn = new int[degree];
        for (int i = 0; i < degree; ) {
            int candidate = rng.nextInt(nodes);
            boolean seen = candidate == node;
            for (int j = 0; j < i; j++) {
                seen |= drawn[j] == candidate;
            }
            if (!seen) {
                drawn[i++] = candidate;
            }
        }
        return drawn;
    }
}
