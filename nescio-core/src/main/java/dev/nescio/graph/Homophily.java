// SPDX-License-Identifier: Apache-2.0
package dev.nescio.graph;

/**
 * How much edges join like with like, by the four measures of the literature, and the class compatibility matrix. Edges
 * with an unlabelled end do not count.
 *
 * @param edge share of edges whose ends have one class
 * @param node mean over nodes with a neighbour of the share of neighbours of the node's class
 * @param classInsensitive the measure of Lim et al. 2021: mean excess of each class over its size, cut at 0
 * @param adjusted the measure of Platonov et al. 2023: corrected for class degrees, so that chance gives 0
 * @param compatibility [classes][classes]: share of the edge ends leaving class i that land in class j (Zhu et al. 2021)
 */
public record Homophily(double edge, double node, double classInsensitive, double adjusted, double[][] compatibility) {

    /** Measures a graph by its own labels. Where no edge joins two labelled nodes, edge, node and adjusted homophily are NaN. */
    public static Homophily of(Graph graph) {
        return of(graph.adjacency(), graph.labels(), graph.classes().size());
    }

    /**
     * Measures edges by one label per node, from 0 to {@code classes - 1}; negative ones are unknown. In the compatibility
     * matrix, the row of a class without edges is NaN.
     */
    public static Homophily of(Adjacency adjacency, int[] labels, int classes) {
        double[][] ends = new double[classes][classes];
        double[] sizes = new double[classes];
        double nodeSum = 0;
        int nodesWithNeighbours = 0;
        int labelled = 0;
        for (int v = 0; v < adjacency.nodes(); v++) {
            if (labels[v] < 0) {
                continue;
            }
            labelled++;
            sizes[labels[v]]++;
            int same = 0;
            int known = 0;
            for (int e = adjacency.pointers()[v]; e < adjacency.pointers()[v + 1]; e++) {
                int other = labels[adjacency.neighbours()[e]];
                if (other >= 0) {
                    known++;
                    same += other == labels[v] ? 1 : 0;
                    ends[labels[v]][other]++;
                }
            }
            if (known > 0) {
                nodesWithNeighbours++;
                nodeSum += (double) same / known;
            }
        }
        return summarise(ends, sizes, labelled, nodeSum / nodesWithNeighbours);
    }

    private static Homophily summarise(double[][] ends, double[] sizes, int labelled, double node) {
        int classes = sizes.length;
        double[] degree = new double[classes];
        double total = 0;
        double same = 0;
        for (int i = 0; i < classes; i++) {
            for (int j = 0; j < classes; j++) {
                degree[i] += ends[i][j];
            }
            total += degree[i];
            same += ends[i][i];
        }
        double edge = same / total;
        double excess = 0;
        double chance = 0;
        double[][] compatibility = new double[classes][classes];
        for (int i = 0; i < classes; i++) {
            if (degree[i] > 0) {
                excess += Math.max(0, ends[i][i] / degree[i] - sizes[i] / labelled);
            }
            chance += (degree[i] / total) * (degree[i] / total);
            for (int j = 0; j < classes; j++) {
                compatibility[i][j] = ends[i][j] / degree[i];
            }
        }
        return new Homophily(edge, node, excess / (classes - 1), (edge - chance) / (1 - chance), compatibility);
    }
}
