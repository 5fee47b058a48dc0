// SPDX-License-Identifier: Apache-2.0
package dev.nescio.information;

import dev.nescio.problem.BadInput;
import java.util.ArrayList;
import java.util.List;

/**
 * A label, what is attached to the nodes at every distance from its node, and the representations after every layer, with one
 * joint distribution.
 *
 * @param name for people
 * @param layers L: there are shells G_0 .. G_L and representations Z_0 .. Z_L
 * @param joint variables in the order Y, G_0 .. G_L, Z_0 .. Z_L
 */
public record FiniteModel(String name, int layers, Joint joint) {

    /** Refuses fewer than one layer, and a distribution of other than {@code 2 * layers + 3} variables. */
    public FiniteModel {
        if (layers < 1 || joint.variables() != 2 * layers + 3) {
            throw new BadInput("model " + name + " has " + joint.variables()
                    + " variables; expected a label and as many shells as representations, at least two of each");
        }
    }

    /** Computes what follows from the primitive variables: shells and representations of one assignment. */
    @FunctionalInterface
    public interface Rule {
        /** What belongs to one assignment: a label, and {@code layers + 1} shells and representations. */
        Described describe(int[] assignment);
    }

    /** The label, the shells and the representations that belong to an assignment. */
    public record Described(Object label, List<Object> shells, List<Object> representations) {}

    /** Enumerates all assignments of independent or dependent primitive variables. */
    static FiniteModel enumerated(
            String name, int layers, List<int[]> assignments, List<Double> probabilities, Rule rule) {
        List<Joint.Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < assignments.size(); i++) {
            Described d = rule.describe(assignments.get(i));
            List<Object> values = new ArrayList<>(List.of(d.label));
            values.addAll(d.shells);
            values.addAll(d.representations);
            outcomes.add(new Joint.Outcome(probabilities.get(i), values));
        }
        return new FiniteModel(name, layers, new Joint(2 * layers + 3, outcomes));
    }

    int[] label() {
        return new int[] {0};
    }

    int[] shell(int k) {
        return new int[] {1 + k};
    }

    /** G_0 .. G_k. */
    int[] shells(int k) {
        int[] all = new int[k + 1];
        for (int i = 0; i <= k; i++) {
            all[i] = 1 + i;
        }
        return all;
    }

    int[] representation(int i) {
        return new int[] {2 + layers + i};
    }

    int[] representations() {
        int[] all = new int[layers + 1];
        for (int i = 0; i <= layers; i++) {
            all[i] = 2 + layers + i;
        }
        return all;
    }
}
