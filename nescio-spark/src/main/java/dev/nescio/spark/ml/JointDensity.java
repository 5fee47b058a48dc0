// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.ml;

import dev.nescio.detector.EmbeddingDetector;
import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.NodeSet;
import dev.nescio.problem.BadInput;
import dev.nescio.spark.table.GraphTables;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.estimator.Estimators;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Learns where the hidden states of any network are dense, so that rows far from everything learned can be told. The rows to learn from and
 * the held-out rows are brought to the driver; any number of rows can be scored.
 *
 * <pre>{@code
 * JointDensityModel model = new JointDensity()
 *         .setInputCols(new String[] {"layer1", "layer2"})
 *         .setTrainCol("train")
 *         .setHeldOutCol("validation")
 *         .setIdCol("id")
 *         .fit(states);
 * Dataset<Row> scored = model.transform(states);
 * }</pre>
 */
public final class JointDensity extends Estimator<JointDensityModel>
        implements JointDensityParams, DefaultParamsWritable {

    private final String uid;
    private final All all;

    /** With a name that tells it from others in a Pipeline. */
    public JointDensity(String uid) {
        this.uid = uid;
        this.all = new All(this);
        defaults(this);
    }

    /** With a name of its own. */
    public JointDensity() {
        this(Identifiable$.MODULE$.randomUID("jointDensity"));
    }

    static void defaults(JointDensityParams of) {
        for (var none : List.of(of.trainCol(), of.heldOutCol(), of.idCol())) {
            of.setDefault(none, "");
        }
        of.setDefault(of.estimator(), "jlde");
        of.setDefault(of.outputCol(), "epistemic");
        of.setDefault(of.pValueCol(), "p_value");
    }

    @Override
    public String uid() {
        return uid;
    }

    @Override
    public All all() {
        return all;
    }

    /** Vector columns, one per hidden state. */
    public JointDensity setInputCols(String[] names) {
        set(inputCols(), names);
        return this;
    }

    /** The boolean column of rows to learn from. */
    public JointDensity setTrainCol(String name) {
        set(trainCol(), name);
        return this;
    }

    /** The boolean column of rows that tell what is ordinary. */
    public JointDensity setHeldOutCol(String name) {
        set(heldOutCol(), name);
        return this;
    }

    /** The column of ids: rows that were learned from are later compared with all others but themselves. */
    public JointDensity setIdCol(String name) {
        set(idCol(), name);
        return this;
    }

    /** An estimator that needs hidden states alone, such as {@code jlde:k=10}. */
    public JointDensity setEstimator(String text) {
        set(estimator(), text);
        return this;
    }

    /** The column of scores. */
    public JointDensity setOutputCol(String name) {
        set(outputCol(), name);
        return this;
    }

    /** The column of p-values. */
    public JointDensity setPValueCol(String name) {
        set(pValueCol(), name);
        return this;
    }

    @Override
    public StructType transformSchema(StructType columns) {
        return withOutputs(columns, !$(heldOutCol()).isEmpty(), $(idCol()), $(trainCol()), $(heldOutCol()));
    }

    @Override
    public JointDensity copy(ParamMap extra) {
        return defaultCopy(extra);
    }

    /** Fits to the rows to learn from; refuses a table without any. */
    @Override
    public JointDensityModel fit(Dataset<?> table) {
        transformSchema(table.schema());
        Column train = mask($(trainCol()), true);
        Column heldOut = mask($(heldOutCol()), false);
        List<Column> columns = new ArrayList<>();
        Arrays.stream($(inputCols())).map(GraphTables::column).forEach(columns::add);
        columns.add(id($(idCol())));
        columns.add(train);
        columns.add(heldOut);
        List<Row> rows = table.toDF()
                .where(train.or(heldOut))
                .select(columns.toArray(Column[]::new))
                .collectAsList();
        return copyValues(new JointDensityModel(uid, detector(rows)).setParent(this), ParamMap.empty());
    }

    /** As Spark writes them, in the fit and later. */
    static Column id(String name) {
        return name.isEmpty() ? functions.lit("") : GraphTables.column(name).cast(DataTypes.StringType);
    }

    private static Column mask(String name, boolean otherwise) {
        return name.isEmpty()
                ? functions.lit(otherwise)
                : functions.coalesce(GraphTables.column(name).cast(DataTypes.BooleanType), functions.lit(false));
    }

    private EmbeddingDetector detector(List<Row> rows) {
        int states = $(inputCols()).length;
        NodeSet training = NodeSet.where(rows.size(), i -> rows.get(i).getBoolean(states + 1));
        NodeSet heldOut = NodeSet.where(rows.size(), i -> rows.get(i).getBoolean(states + 2));
        if (training.isEmpty()) {
            throw new BadInput("there are no rows to learn from");
        }
        if (rows.stream().anyMatch(row -> row.isNullAt(states))) {
            throw new BadInput("column '" + $(idCol()) + "' holds nothing in a row to learn from");
        }
        NodeIds ids = $(idCol()).isEmpty()
                ? NodeIds.numbered(rows.size())
                : NodeIds.named(rows.stream().map(row -> row.getString(states)).toList());
        int[] labels = new int[rows.size()];
        Arrays.fill(labels, Graph.UNLABELLED);
        Evidence evidence = Evidence.of(
                IntStream.range(0, states)
                        .mapToObj(state -> Vectors.matrix(rows, state, $(inputCols())[state]))
                        .toList(),
                training);
        return EmbeddingDetector.fit(
                new EmbeddingDetector.Data(evidence, heldOut, labels, ids, String.join(", ", $(inputCols()))),
                List.of(Estimators.parse($(estimator()))),
                List.of());
    }

    /** Reads what {@link #write} has written. */
    public static MLReader<JointDensity> read() {
        return new DefaultParamsReader<>();
    }

    /** Reads what {@link #save} has written. */
    public static JointDensity load(String path) {
        return read().load(path);
    }
}
