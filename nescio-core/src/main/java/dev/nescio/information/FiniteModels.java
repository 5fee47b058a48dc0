// SPDX-License-Identifier: Apache-2.0
package dev.nescio.information;

import dev.nescio.problem.BadConfiguration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Small models that show one thing each. */
public final class FiniteModels {

    private static final Map<String, Supplier<FiniteModel>> ALL = new LinkedHashMap<>();

    static {
        double[] flips = {0.1, 0.3, 0.2};
        ALL.put("P1", () -> path("P1", flips, false, true));
        ALL.put("P2", () -> path("P2", flips, true, true));
        ALL.put("P3", () -> path("P3", flips, false, false));
        ALL.put("P4", () -> path("P4", flips, true, false));
        ALL.put("X1", () -> bits("X1", b -> described(b[0] ^ b[1], b, b[1])));
        ALL.put("X2", () -> bits("X2", b -> described(b[0] ^ b[1], b, List.of(b[0], b[1]))));
        ALL.put("C1", () -> bits("C1", b -> described(List.of(b[0], b[1]), b, b[1])));
        ALL.put("D1", FiniteModels::duplicate);
        ALL.put("R1", () -> path("R1", new double[] {0.1, 0.5, 0.5}, false, false));
    }

    private FiniteModels() {}

    /** The names that {@link #named} knows: {@code P1}, {@code P2}, ..., {@code R1}. */
    public static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    /** The model of this name, computed anew; refuses names that are not among {@link #names}. */
    public static FiniteModel named(String name) {
        Supplier<FiniteModel> model = ALL.get(name);
        if (model == null) {
            throw new BadConfiguration(
                    "there is no model '" + name + "'; there are " + String.join(", ", ALL.keySet()));
        }
        return model.get();
    }

    /**
     * The path v - u - w: every node carries a copy of the label of v that is flipped with a probability of its own, and two
     * layers add up the values of the neighbours, with a node's own or without.
     *
     * @param flips of v, u and w
     * @param opposite whether u carries a copy of the opposite label
     * @param withSelf whether a layer adds a node's own value
     */
    public static FiniteModel path(String name, double[] flips, boolean opposite, boolean withSelf) {
        List<int[]> assignments = new ArrayList<>();
        List<Double> probabilities = new ArrayList<>();
        for (int bits = 0; bits < 16; bits++) {
            int[] a = {bits & 1, bits >> 1 & 1, bits >> 2 & 1, bits >> 3 & 1};
            double p = 0.5;
            for (int node = 0; node < 3; node++) {
                int copied = node == 1 && opposite ? 1 - a[0] : a[0];
                p *= a[1 + node] == copied ? 1 - flips[node] : flips[node];
            }
            assignments.add(a);
            probabilities.add(p);
        }
        int self = withSelf ? 1 : 0;
        return FiniteModel.enumerated(name, 2, assignments, probabilities, a -> {
            int[] x = {a[1], a[2], a[3]};
            int[] once = {self * x[0] + x[1], self * x[1] + x[0] + x[2], self * x[2] + x[1]};
            int twice = self * once[0] + once[1];
            return new FiniteModel.Described(a[0], List.of(x[0], x[1], x[2]), List.of(x[0], once[0], twice));
        });
    }

    /** Two fair bits, one per shell; Z_0 = G_0. */
    private static FiniteModel bits(String name, FiniteModel.Rule rule) {
        return FiniteModel.enumerated(
                name,
                1,
                List.of(new int[] {0, 0}, new int[] {0, 1}, new int[] {1, 0}, new int[] {1, 1}),
                List.of(0.25, 0.25, 0.25, 0.25),
                rule);
    }

    private static FiniteModel.Described described(Object label, int[] bits, Object last) {
        return new FiniteModel.Described(label, List.of(bits[0], bits[1]), List.of(bits[0], last));
    }

    private static FiniteModel duplicate() {
        return FiniteModel.enumerated(
                "D1",
                1,
                List.of(new int[] {0}, new int[] {1}),
                List.of(0.5, 0.5),
                a -> described(a[0], new int[] {a[0], 1 - a[0]}, 1 - a[0]));
    }
}
