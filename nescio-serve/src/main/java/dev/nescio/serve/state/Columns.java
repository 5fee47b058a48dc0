// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.state;

import dev.nescio.detector.Role;
import dev.nescio.detector.Scores;
import dev.nescio.uncertainty.Prediction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The scores of every node, in pages: another version shares the pages in which nothing has changed. Immutable.
 *
 * @param estimators their names; the first one speaks
 * @param classes how many there are
 * @param hasRoles whether the detector knows what nodes were
 */
record Columns(List<String> estimators, int classes, boolean hasRoles, int nodes, List<Page> pages) {

    private static final int PAGE = 1024;

    /** The scores of {@link #PAGE} nodes. */
    private record Page(double[][] epistemic, int[] label, double[] probability, double[] distribution, Role[] role) {

        static Page empty(int estimators, int classes) {
            return new Page(
                    new double[estimators][PAGE],
                    new int[PAGE],
                    new double[PAGE],
                    new double[PAGE * classes],
                    noRoles());
        }

        private static Role[] noRoles() {
            Role[] roles = new Role[PAGE];
            Arrays.fill(roles, Role.NEW);
            return roles;
        }

        Page copy() {
            return new Page(
                    Arrays.stream(epistemic).map(double[]::clone).toArray(double[][]::new),
                    label.clone(),
                    probability.clone(),
                    distribution.clone(),
                    role.clone());
        }
    }

    static Columns of(Scores scores) {
        List<String> estimators = List.copyOf(scores.byEstimator().keySet());
        Columns none =
                new Columns(estimators, scores.classes().size(), !scores.roles().isEmpty(), 0, List.of());
        int[] all = new int[scores.nodes()];
        Arrays.setAll(all, node -> node);
        return none.with(all.length, all, scores);
    }

    /** The same with other scores of some nodes; {@code newNodes} is how many there are then. */
    Columns with(int newNodes, int[] some, Scores scores) {
        List<Page> next = new ArrayList<>(pages);
        while (next.size() * PAGE < newNodes) {
            next.add(Page.empty(estimators.size(), classes));
        }
        Map<Integer, Page> own = new HashMap<>();
        Prediction prediction = scores.prediction();
        List<double[]> epistemic = estimators.stream()
                .map(name ->
                        Objects.requireNonNull(scores.byEstimator().get(name)).epistemic())
                .toList();
        for (int i = 0; i < some.length; i++) {
            int number = some[i] / PAGE;
            Page page = own.computeIfAbsent(number, n -> next.get(n).copy());
            int at = some[i] % PAGE;
            for (int e = 0; e < epistemic.size(); e++) {
                page.epistemic[e][at] = epistemic.get(e)[i];
            }
            page.label[at] = prediction.label()[i];
            page.probability[at] = prediction.probability()[i];
            System.arraycopy(prediction.distribution(), i * classes, page.distribution, at * classes, classes);
            page.role[at] = scores.roles().isEmpty() ? Role.NEW : scores.roles().get(i);
        }
        own.forEach(next::set);
        return new Columns(estimators, classes, hasRoles, newNodes, List.copyOf(next));
    }

    double epistemic(int node) {
        return epistemic(0, node);
    }

    double epistemic(int estimator, int node) {
        return pages.get(node / PAGE).epistemic[estimator][node % PAGE];
    }

    int label(int node) {
        return pages.get(node / PAGE).label[node % PAGE];
    }

    double probability(int node) {
        return pages.get(node / PAGE).probability[node % PAGE];
    }

    double aleatoric(int node) {
        return 1 - probability(node);
    }

    double[] distribution(int node) {
        int at = node % PAGE * classes;
        return Arrays.copyOfRange(pages.get(node / PAGE).distribution, at, at + classes);
    }

    Role role(int node) {
        return pages.get(node / PAGE).role[node % PAGE];
    }

    boolean isTraining(int node) {
        return role(node) == Role.TRAINING;
    }
}
