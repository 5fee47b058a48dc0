// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.detector.Decisions;
import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.ScoreTable;
import dev.nescio.graph.Adjacency;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.split.SplitRules;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.network.Architectures;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.spark.block.IdOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Graphs for tests, on both sides. */
public final class Graphs {

    private static final StructType NODES = new StructType()
            .add("id", DataTypes.StringType)
            .add("features", DataTypes.createArrayType(DataTypes.FloatType));
    private static final StructType EDGES =
            new StructType().add("source", DataTypes.StringType).add("target", DataTypes.StringType);

    private static final String SPLIT = "50/30/20:1";

    private Graphs() {}

    /** Three classes that features and neighbours tell apart, a hub, and a few nodes without neighbours. */
    public static Graph random(int nodes, int width, long seed) {
        Random random = new Random(seed);
        int[] labels = new int[nodes];
        float[] features = new float[nodes * width];
        for (int v = 0; v < nodes; v++) {
            labels[v] = v % 3;
            for (int i = 0; i < width; i++) {
                features[v * width + i] = (float) (random.nextGaussian() + (i % 3 == labels[v] ? 1.5 : 0));
            }
        }
        int connected = nodes - 3;
        int[] from = new int[4 * nodes];
        int[] to = new int[4 * nodes];
        for (int e = 0; e < from.length; e++) {
            from[e] = e % 9 == 0 ? 0 : random.nextInt(connected);
            to[e] = e % 2 == 0 ? random.nextInt(connected) : (from[e] + 3) % connected;
        }
        return Graph.builder("random", Adjacency.undirected(nodes, from, to).adjacency())
                .features(DenseMatrix.of(nodes, width, features))
                .labels(labels, 3)
                .ids(NodeIds.named(
                        IntStream.range(0, nodes).mapToObj(v -> "node " + v).toList()))
                .build();
    }

    /** The same graph, whose test nodes have features that no detector has learned from. */
    static Graph withFarTestNodes(Graph graph) {
        int width = graph.features().columns();
        float[] features = new float[graph.nodes() * width];
        for (int v = 0; v < graph.nodes(); v++) {
            float factor = SplitRules.choose(graph, SPLIT).test().contains(v) ? -30 : 1;
            for (int i = 0; i < width; i++) {
                features[v * width + i] = factor * graph.features().get(v, i);
            }
        }
        return graph.with()
                .features(DenseMatrix.of(graph.nodes(), width, features))
                .build();
    }

    /** A small detector of some architecture, trained for a few epochs. */
    public static Detector detector(Graph graph, String architecture, String... estimators) {
        return detector(graph, SPLIT, architecture, estimators);
    }

    static Detector detector(Graph graph, String split, String architecture, String[] estimators) {
        ModelOptions small = ModelOptions.of(8, 3, 0.1, 1)
                .in(Architectures.named(architecture).options(), Map.of());
        DetectorOptions options = DetectorOptions.defaults()
                .withArchitecture(architecture)
                .withModel(small)
                .withTraining(TrainingOptions.of(0.01, 0, 4, 4, 3));
        return Detector.train(
                graph,
                SplitRules.choose(graph, split),
                estimators.length == 0 ? options : options.withEstimators(estimators),
                TrainingListener.NONE);
    }

    /** The nodes of a graph as a Dataset. */
    public static Dataset<Row> nodes(SparkSession spark, Graph graph) {
        List<Row> rows = new ArrayList<>();
        for (int v = 0; v < graph.nodes(); v++) {
            Float[] features = new Float[graph.features().columns()];
            for (int i = 0; i < features.length; i++) {
                features[i] = graph.features().get(v, i);
            }
            rows.add(RowFactory.create(graph.ids().name(v), features));
        }
        return spark.createDataFrame(rows, NODES);
    }

    /** Every edge in both directions, and every tenth one more often. */
    public static Dataset<Row> edges(SparkSession spark, Graph graph) {
        List<Row> rows = new ArrayList<>();
        Adjacency adjacency = graph.adjacency();
        for (int v = 0; v < graph.nodes(); v++) {
            for (int e = adjacency.pointers()[v]; e < adjacency.pointers()[v + 1]; e++) {
                String source = graph.ids().name(adjacency.neighbours()[e]);
                rows.add(RowFactory.create(source, graph.ids().name(v)));
                if (e % 10 == 0) {
                    rows.add(RowFactory.create(source, graph.ids().name(v)));
                    rows.add(RowFactory.create(source, source));
                }
            }
        }
        return spark.createDataFrame(rows, EDGES);
    }

    /** The same graph with its nodes in the order of their ids, which is that of Spark. */
    static Graph inOrderOfIds(Graph graph) {
        int[] nodes = IntStream.range(0, graph.nodes())
                .boxed()
                .sorted((a, b) -> IdOrder.BY_NUMBER.compare(
                        graph.ids().name(a), graph.ids().name(b)))
                .mapToInt(v -> v)
                .toArray();
        int[] places = new int[nodes.length];
        Arrays.setAll(places, v -> v);
        for (int place = 0; place < nodes.length; place++) {
            places[nodes[place]] = place;
        }
        Adjacency adjacency = graph.adjacency();
        int[] targets = new int[adjacency.edges()];
        for (int v = 0; v < nodes.length; v++) {
            Arrays.fill(targets, adjacency.pointers()[v], adjacency.pointers()[v + 1], places[v]);
        }
        int[] sources =
                Arrays.stream(adjacency.neighbours()).map(u -> places[u]).toArray();
        return Graph.builder(
                        graph.name(),
                        Adjacency.directed(nodes.length, sources, targets).adjacency())
                .features(graph.features().select(nodes))
                .ids(NodeIds.named(
                        Arrays.stream(nodes).mapToObj(graph.ids()::name).toList()))
                .build();
    }

    /** Rows equal those of the detector on one machine: texts and truths exactly, numbers to one part in 100,000. */
    public static void assertSame(Dataset<Row> actual, Detector detector, Graph graph, Decisions.Wishes wishes) {
        Difference found = difference(actual, detector, graph, wishes);
        assertThat(found.relative()).as(found.toString()).isLessThanOrEqualTo(1e-5);
        assertThat(found.otherDecisions()).as(found.toString()).isZero();
        assertThat(found.otherRanks()).as(found.toString()).isLessThanOrEqualTo(graph.nodes() / 50);
    }

    /**
     * What differs from one machine.
     *
     * @param where the number is that differs by the largest share of itself
     * @param otherRanks p-values that are those of the next rank
     * @param otherDecisions flags, lists and sets of labels that are others
     */
    record Difference(String where, double expected, double found, int otherRanks, int otherDecisions) {

        private static final Difference NONE = new Difference("nowhere", 0, 0, 0, 0);

        double relative() {
            double share = Math.abs(found - expected) / Math.max(1e-3, Math.abs(expected));
            return Double.compare(found, expected) == 0 ? 0 : Double.isNaN(share) ? Double.POSITIVE_INFINITY : share;
        }

        private Difference or(String column, double wanted, double number) {
            Difference here = new Difference(column, wanted, number, otherRanks, otherDecisions);
            return here.relative() > relative() ? here : this;
        }

        private Difference andOther(int ranks, int decisions) {
            return new Difference(where, expected, found, otherRanks + ranks, otherDecisions + decisions);
        }
    }

    private static final Set<String> DECISIONS = Set.of("flagged", "listed", "abstains", "labels");

    /**
     * Compares all rows with those of one machine; refuses other texts, such as predictions. A p-value is the rank of a score among those of
     * held-out nodes, and may be the next one where the score is as close to one of them as numbers can be.
     */
    static Difference difference(Dataset<Row> actual, Detector detector, Graph graph, Decisions.Wishes wishes) {
        var scores = detector.score(graph);
        ScoreTable expected = ScoreTable.of(scores, Decisions.of(scores, wishes));
        assertThat(actual.columns())
                .containsExactlyElementsOf(expected.columns().keySet());
        Map<String, Row> byId = new HashMap<>();
        actual.collectAsList()
                .forEach(row -> assertThat(byId.put(row.getString(0), row)).isNull());
        assertThat(byId).hasSize(expected.rows());
        double rank = 1.0 / (1 + detector.calibration().nodes());
        Difference difference = Difference.NONE;
        for (int v = 0; v < expected.rows(); v++) {
            Row row = byId.get(graph.ids().name(v));
            for (String column : expected.columns().keySet()) {
                Object wanted = expected.columns().get(column).apply(v);
                Object found = wanted instanceof List<?> ? row.getList(row.fieldIndex(column)) : row.getAs(column);
                if (column.equals("p_value") && wanted != null) {
                    assertThat((Double) found).isCloseTo((Double) wanted, within(1.01 * rank));
                    difference = difference.andOther(found.equals(wanted) ? 0 : 1, 0);
                } else if (DECISIONS.contains(column)) {
                    difference = difference.andOther(0, found.equals(wanted) ? 0 : 1);
                } else if (wanted instanceof Double number && found instanceof Double other) {
                    difference = difference.or(column, number, other);
                } else if (!Objects.equals(found, wanted)) {
                    assertThat(found).as(column + " of " + row.getString(0)).isEqualTo(wanted);
                }
            }
        }
        return difference;
    }
}
