// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.ml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.detector.EmbeddingDetector;
import dev.nescio.detector.Scores;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.NodeSet;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import dev.nescio.progress.Progress;
import dev.nescio.spark.LocalSpark;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.estimator.Estimators;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JointDensityTest {

    private static final int ROWS = 60;

    private static SparkSession spark;
    private static Dataset<Row> table;
    private static float[][] first;
    private static float[][] second;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        spark = LocalSpark.start();
        first = random(3, 1);
        second = random(5, 2);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            rows.add(RowFactory.create("row " + i, vector(first[i]), vector(second[i]), i < 30, i >= 30 && i < 50));
        }
        table = spark.createDataFrame(
                        rows,
                        new StructType()
                                .add("id", DataTypes.StringType)
                                .add("one", SQLDataTypes.VectorType())
                                .add("two", SQLDataTypes.VectorType())
                                .add("train", DataTypes.BooleanType)
                                .add("ordinary", DataTypes.BooleanType))
                .repartition(3);
    }

    @AfterAll
    static void stop() throws Exception {
        spark.close();
    }

    private static float[][] random(int width, long seed) {
        Random random = new Random(seed);
        float[][] rows = new float[ROWS][width];
        for (float[] row : rows) {
            for (int i = 0; i < width; i++) {
                row[i] = (float) random.nextGaussian();
            }
        }
        return rows;
    }

    private static org.apache.spark.ml.linalg.Vector vector(float[] values) {
        return org.apache.spark.ml.linalg.Vectors.dense(
                IntStream.range(0, values.length).mapToDouble(i -> values[i]).toArray());
    }

    private static JointDensity stage() {
        return new JointDensity()
                .setInputCols(new String[] {"one", "two"})
                .setTrainCol("train")
                .setHeldOutCol("ordinary")
                .setIdCol("id")
                .setEstimator("jlde:k=3");
    }

    /** The same without Spark. */
    private static Scores expected() {
        Evidence evidence =
                Evidence.of(List.of(DenseMatrix.of(first), DenseMatrix.of(second)), NodeSet.where(ROWS, i -> i < 30));
        NodeIds ids =
                NodeIds.named(IntStream.range(0, ROWS).mapToObj(i -> "row " + i).toList());
        int[] labels = new int[ROWS];
        Arrays.fill(labels, -1);
        EmbeddingDetector detector = EmbeddingDetector.fit(
                new EmbeddingDetector.Data(evidence, NodeSet.where(ROWS, i -> i >= 30 && i < 50), labels, ids, "test"),
                List.of(Estimators.parse("jlde:k=3")),
                List.of());
        return detector.score(evidence, ids, Progress.NONE);
    }

    private static void assertSame(Dataset<Row> scored) {
        Scores scores = expected();
        double[] pValues = scores.pValues();
        List<Row> rows = scored.collectAsList();
        assertThat(rows).hasSize(ROWS);
        for (Row row : rows) {
            int i = Integer.parseInt(row.<String>getAs("id").substring(4));
            double score = scores.epistemic()[i];
            assertThat(row.<Double>getAs("epistemic"))
                    .isCloseTo(score, org.assertj.core.data.Offset.offset(1e-5 * Math.abs(score)));
            assertThat(row.<Double>getAs("p_value")).isEqualTo(i < 30 ? null : pValues[i]);
        }
    }

    @Test
    void scoresAsWithoutSpark() {
        assertSame(stage().fit(table).transform(table));
    }

    @Test
    void aSavedPipelineScoresTheSame() throws Exception {
        PipelineModel fitted =
                new Pipeline().setStages(new PipelineStage[] {stage()}).fit(table);
        String place = folder.resolve("pipeline").toString();
        fitted.save(place);
        assertSame(PipelineModel.load(place).transform(table));
    }

    @Test
    void aSavedStageKeepsItsParameters() throws Exception {
        String place = folder.resolve("stage").toString();
        JointDensity before = stage();
        before.save(place);
        JointDensity after = JointDensity.load(place);
        assertThat(after.uid()).isEqualTo(before.uid());
        assertThat(after.getOrDefault(after.inputCols())).containsExactly("one", "two");
        for (var name : List.of("trainCol", "heldOutCol", "idCol", "estimator", "outputCol", "pValueCol")) {
            assertThat(after.getOrDefault(after.getParam(name)))
                    .as(name)
                    .isEqualTo(before.getOrDefault(before.getParam(name)));
        }
    }

    @Test
    void copiesCarryParameters() {
        JointDensityModel model = stage().fit(table);
        JointDensityModel copy = model.copy(new org.apache.spark.ml.param.ParamMap().put(model.outputCol(), "other"));
        assertThat(copy.transform(table).columns()).contains("other").doesNotContain("epistemic");
        assertThat(copy.parent()).isSameAs(model.parent());
    }

    @Test
    void aSavedPipelineThatWasNotFittedLearnsTheSame() throws Exception {
        String place = folder.resolve("unfitted").toString();
        new Pipeline().setStages(new PipelineStage[] {stage()}).save(place);
        assertSame(Pipeline.load(place).fit(table).transform(table));
    }

    @Test
    void whatWasSetCanBeAskedFor() {
        JointDensity before = stage().setOutputCol("score").setPValueCol("p");
        JointDensityModel model = before.fit(table);
        for (JointDensityParams params : List.of(before, model)) {
            assertThat(params.getInputCols()).containsExactly("one", "two");
            assertThat(List.of(
                            params.getTrainCol(),
                            params.getHeldOutCol(),
                            params.getIdCol(),
                            params.getEstimator(),
                            params.getOutputCol(),
                            params.getPValueCol()))
                    .containsExactly("train", "ordinary", "id", "jlde:k=3", "score", "p");
        }
        Dataset<Row> renamed = table.withColumnsRenamed(Map.of("one", "first one", "two", "second", "id", "key"));
        Dataset<Row> scored = model.setInputCols(new String[] {"first one", "second"})
                .setIdCol("key")
                .setOutputCol("epistemic")
                .setPValueCol("p_value")
                .transform(renamed);
        assertSame(scored.withColumnRenamed("key", "id"));
    }

    /** Spark would read a dot as a field of a structure. */
    @Test
    void namesMayHoldDots() {
        Dataset<Row> dotted = table.withColumnsRenamed(
                Map.of("one", "state.1", "two", "state `2", "id", "an.id", "train", "is.train", "ordinary", "is.not"));
        Dataset<Row> scored = new JointDensity()
                .setInputCols(new String[] {"state.1", "state `2"})
                .setTrainCol("is.train")
                .setHeldOutCol("is.not")
                .setIdCol("an.id")
                .setEstimator("jlde:k=3")
                .fit(dotted)
                .transform(dotted);
        assertSame(scored.withColumnRenamed("an.id", "id"));
    }

    /** The same row twice gets the same score twice, however rows lie. */
    @Test
    void idsMayComeTwiceWhereRowsAreScored() {
        JointDensityModel model = stage().fit(table);
        for (int partitions : List.of(1, 7)) {
            Dataset<Row> twice = model.transform(table.union(table).repartition(partitions));
            assertThat(twice.count()).isEqualTo(2 * ROWS);
            assertSame(twice.distinct());
        }
    }

    /** Whoever has no id was not learned from, as far as anybody knows. */
    @Test
    void rowsWithoutAnIdAreNew() {
        JointDensityModel model = stage().fit(table);
        Dataset<Row> nameless = table.withColumn("id", functions.lit(null).cast(DataTypes.StringType));
        List<Row> rows = model.transform(nameless).collectAsList();
        assertThat(rows).hasSize(ROWS).allSatisfy(row -> assertThat(row.<Double>getAs("p_value"))
                .isNotNull());
        Dataset<Row> others = table.withColumn("id", functions.concat(functions.lit("new "), functions.col("id")));
        assertThat(scores(model.transform(nameless))).isEqualTo(scores(model.transform(others)));
    }

    /** One partition in the order of the fit looked like the rows of the fit, several did not. */
    @Test
    void withoutIdsNoRowIsKnownHoweverRowsLie() {
        JointDensityModel model = stage().setIdCol("").fit(table.coalesce(1));
        Dataset<Row> together = model.transform(table.coalesce(1));
        assertThat(scores(together)).isEqualTo(scores(model.transform(table.repartition(5))));
        assertThat(together.where("p_value IS NULL").count()).isZero();
    }

    private static List<Row> scores(Dataset<Row> scored) {
        return scored.select("one", "epistemic", "p_value").collectAsList().stream()
                .sorted(Comparator.comparing(Row::toString))
                .toList();
    }

    /** Java and Spark write times in two ways. */
    @Test
    void idsAreTheSameTextsInTheFitAndLater() {
        Dataset<Row> timed = table.withColumn("id", functions.expr("timestamp_seconds(cast(substring(id, 5) AS int))"));
        JointDensityModel model = stage().fit(timed);
        Dataset<Row> scored = model.transform(timed);
        assertThat(scored.where("p_value IS NULL").count()).isEqualTo(30);
        assertThat(model.detector().nodes().training()).allMatch(id -> id.matches("1970-01-01 \\d\\d:00:\\d\\d"));
        assertSame(scored.withColumn("id", functions.expr("concat('row ', unix_timestamp(id))")));
    }

    @Test
    void refusesWhatCannotBe() {
        assertThatThrownBy(() -> stage().setInputCols(new String[] {"three"}).fit(table))
                .isInstanceOf(BadInput.class)
                .hasMessage("there is no column 'three'; there are id, one, two, train, ordinary");
        assertThatThrownBy(() -> stage().setHeldOutCol("held").fit(table))
                .isInstanceOf(BadInput.class)
                .hasMessage("there is no column 'held'; there are id, one, two, train, ordinary");
        assertThatThrownBy(() -> stage().fit(table).transform(table.drop("id")))
                .isInstanceOf(BadInput.class)
                .hasMessage("there is no column 'id'; there are one, two, train, ordinary");
        assertThatThrownBy(() -> stage().fit(table.withColumn("id", functions.lit(null))))
                .isInstanceOf(BadInput.class)
                .hasMessage("column 'id' holds nothing in a row to learn from");
        assertThatThrownBy(() -> stage().setOutputCol("id").fit(table))
                .isInstanceOf(BadInput.class)
                .hasMessage("there is a column 'id' already");
        assertThatThrownBy(() -> new Pipeline()
                        .setStages(new PipelineStage[] {new JointDensity()})
                        .fit(table))
                .isInstanceOf(BadConfiguration.class)
                .hasMessage("inputCols names no column");
        assertThatThrownBy(() -> stage().fit(table.withColumn("id", functions.encode(functions.col("id"), "utf-8"))))
                .isInstanceOf(BadInput.class)
                .hasMessage("column 'id' holds bytes, which are no ids; texts and numbers are");
        assertThatThrownBy(() -> stage().fit(table.union(table)))
                .isInstanceOf(BadInput.class)
                .hasMessageStartingWith("node id 'row ")
                .hasMessageContaining("is used twice");
        Dataset<Row> hole = table.withColumn("two", functions.expr("if(id = 'row 3' OR id = 'row 55', null, two)"));
        assertThatThrownBy(() -> stage().fit(hole))
                .isInstanceOf(BadInput.class)
                .hasMessage("column 'two' holds nothing in a row, not a vector");
        assertThatThrownBy(() -> stage().fit(table).transform(hole).collectAsList())
                .hasStackTraceContaining("column 'two' holds nothing in a row, not a vector");
        assertThatThrownBy(() -> stage().fit(table.where("not train")))
                .isInstanceOf(BadInput.class)
                .hasMessage("there are no rows to learn from");
    }
}
