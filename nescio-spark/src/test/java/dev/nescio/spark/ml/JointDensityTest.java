// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.ml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.detector.EmbeddingDetector;
import dev.nescio.detector.Scores;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.NodeSet;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.problem.BadInput;
import dev.nescio.progress.Progress;
import dev.nescio.spark.LocalSpark;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.estimator.Estimators;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
        assertThatThrownBy(() -> stage().fit(table.where("not train")))
                .isInstanceOf(BadInput.class)
                .hasMessage("there are no rows to learn from");
    }
}
