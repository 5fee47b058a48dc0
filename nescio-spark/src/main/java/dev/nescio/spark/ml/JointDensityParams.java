// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.ml;

import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.param.StringArrayParam;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** What {@link JointDensity} and its model let choose. Spark finds the parameters by their methods. */
public interface JointDensityParams extends Params {

    /** The parameters of one object. */
    final class All implements Serializable {

        private final StringArrayParam inputCols;
        private final Param<String> trainCol;
        private final Param<String> heldOutCol;
        private final Param<String> idCol;
        private final Param<String> estimator;
        private final Param<String> outputCol;
        private final Param<String> pValueCol;

        All(Params owner) {
            inputCols = new StringArrayParam(owner, "inputCols", "vector columns, one per hidden state");
            trainCol = new Param<>(owner, "trainCol", "boolean column: rows to learn from; empty for all");
            heldOutCol =
                    new Param<>(owner, "heldOutCol", "boolean column: rows that tell what is ordinary; empty for none");
            idCol = new Param<>(
                    owner,
                    "idCol",
                    "column of ids, by which rows that were learned from are known again; empty for none");
            estimator = new Param<>(owner, "estimator", "an estimator with its options, such as jlde:k=10");
            outputCol = new Param<>(owner, "outputCol", "column of scores; larger = more uncertain");
            pValueCol = new Param<>(owner, "pValueCol", "column of p-values, where held-out rows were given");
        }
    }

    /** The parameters of this object. */
    All all();

    /** Vector columns, one per hidden state. */
    default StringArrayParam inputCols() {
        return all().inputCols;
    }

    /** The boolean column of rows to learn from; empty for all. */
    default Param<String> trainCol() {
        return all().trainCol;
    }

    /** The boolean column of rows that tell what is ordinary; empty for none. */
    default Param<String> heldOutCol() {
        return all().heldOutCol;
    }

    /** The column of ids; empty for none. */
    default Param<String> idCol() {
        return all().idCol;
    }

    /** The estimator with its options. */
    default Param<String> estimator() {
        return all().estimator;
    }

    /** The column of scores. */
    default Param<String> outputCol() {
        return all().outputCol;
    }

    /** The column of p-values. */
    default Param<String> pValueCol() {
        return all().pValueCol;
    }

    /** The vector columns. */
    default String[] getInputCols() {
        return $(inputCols());
    }

    /** The column of rows to learn from. */
    default String getTrainCol() {
        return $(trainCol());
    }

    /** The column of rows that tell what is ordinary. */
    default String getHeldOutCol() {
        return $(heldOutCol());
    }

    /** The column of ids. */
    default String getIdCol() {
        return $(idCol());
    }

    /** The estimator. */
    default String getEstimator() {
        return $(estimator());
    }

    /** The column of scores. */
    default String getOutputCol() {
        return $(outputCol());
    }

    /** The column of p-values. */
    default String getPValueCol() {
        return $(pValueCol());
    }

    /** The columns of the result; refuses a table that lacks an input or another named column, or has an output already. */
    default StructType withOutputs(StructType columns, boolean withPValues, String... others) {
        if (!isDefined(inputCols()) || $(inputCols()).length == 0) {
            throw new BadConfiguration("inputCols names no column");
        }
        List<String> names = Arrays.asList(columns.fieldNames());
        Stream.concat(Arrays.stream($(inputCols())), Arrays.stream(others).filter(name -> !name.isEmpty()))
                .filter(name -> !names.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw new BadInput("there is no column '" + name + "'; there are " + String.join(", ", names));
                });
        if (!$(idCol()).isEmpty() && columns.apply($(idCol())).dataType() instanceof BinaryType) {
            throw new BadInput("column '" + $(idCol()) + "' holds bytes, which are no ids; texts and numbers are");
        }
        StructType result = columns;
        for (String output : withPValues ? List.of($(outputCol()), $(pValueCol())) : List.of($(outputCol()))) {
            if (names.contains(output)) {
                throw new BadInput("there is a column '" + output + "' already");
            }
            result = result.add(output, DataTypes.DoubleType, true);
        }
        return result;
    }
}
