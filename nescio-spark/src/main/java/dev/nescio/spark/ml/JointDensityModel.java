// SPDX-License-Identifier: Apache-2.0
package dev.nescio.spark.ml;

import dev.nescio.detector.EmbeddingDetector;
import dev.nescio.detector.Role;
import dev.nescio.detector.Scores;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.NodeSet;
import dev.nescio.progress.Progress;
import dev.nescio.spark.broadcast.OneCore;
import dev.nescio.spark.broadcast.SharedEmbeddings;
import dev.nescio.spark.table.GraphTables;
import dev.nescio.uncertainty.Evidence;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.ml.Model;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsReader$;
import org.apache.spark.ml.util.DefaultParamsWriter$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.Option;

/** What {@link JointDensity} has learned. Saved as its parameters beside a detector in the layout of all others. */
public final class JointDensityModel extends Model<JointDensityModel> implements JointDensityParams, MLWritable {

    private static final String FILE = "detector.nescio";
    private static final int ROWS = 1 << 12;

    private final String uid;
    private final All all;
    private final EmbeddingDetector detector;

    JointDensityModel(String uid, EmbeddingDetector detector) {
        this.uid = uid;
        this.detector = detector;
        this.all = new All(this);
        JointDensity.defaults(this);
    }

    @Override
    public String uid() {
        return uid;
    }

    @Override
    public All all() {
        return all;
    }

    /** What was learned, to be used without Spark. */
    public EmbeddingDetector detector() {
        return detector;
    }

    /** Vector columns, one per hidden state, with the widths of those that were learned from. */
    public JointDensityModel setInputCols(String[] names) {
        set(inputCols(), names);
        return this;
    }

    /** The column of ids, by which rows that were learned from are known again. */
    public JointDensityModel setIdCol(String name) {
        set(idCol(), name);
        return this;
    }

    /** The column of scores. */
    public JointDensityModel setOutputCol(String name) {
        set(outputCol(), name);
        return this;
    }

    /** The column of p-values. */
    public JointDensityModel setPValueCol(String name) {
        set(pValueCol(), name);
        return this;
    }

    private boolean knowsOrdinaryRows() {
        return detector.estimators().calibration().nodes() > 0;
    }

    @Override
    public StructType transformSchema(StructType columns) {
        return withOutputs(columns, knowsOrdinaryRows(), $(idCol()));
    }

    @Override
    public JointDensityModel copy(ParamMap extra) {
        return copyValues(new JointDensityModel(uid, detector).setParent(parent()), extra);
    }

    /**
     * The same table with scores, and with p-values where held-out rows were given; rows that were learned from have none. Without a column
     * of ids no row counts as one that was learned from; neither does a row without an id.
     */
    @Override
    public Dataset<Row> transform(Dataset<?> table) {
        StructType result = transformSchema(table.schema());
        List<String> names = Arrays.asList(table.schema().fieldNames());
        List<String> inputs = List.of($(inputCols()));
        int[] places = inputs.stream().mapToInt(names::indexOf).toArray();
        boolean withIds = !$(idCol()).isEmpty();
        boolean withPValues = knowsOrdinaryRows();
        SharedEmbeddings shared = SharedEmbeddings.of(
                detector, JavaSparkContext.fromSparkContext(table.sparkSession().sparkContext()));
        Column[] columns = Stream.concat(
                        names.stream().map(GraphTables::column), Stream.of(JointDensity.id($(idCol()))))
                .toArray(Column[]::new);
        return table.toDF()
                .select(columns)
                .mapPartitions(
                        (MapPartitionsFunction<Row, Row>)
                                rows -> new Scoring(rows, shared.get(), inputs, places, withIds, withPValues),
                        Encoders.row(result));
    }

    /** Scores rows some thousand at a time; the last cell of a row is its id. */
    private static final class Scoring implements Iterator<Row> {

        private final Iterator<Row> rows;
        private final EmbeddingDetector detector;
        private final List<String> inputs;
        private final int[] places;
        private final boolean withIds;
        private final boolean withPValues;
        private Iterator<Row> ready = Collections.emptyIterator();

        Scoring(
                Iterator<Row> rows,
                EmbeddingDetector detector,
                List<String> inputs,
                int[] places,
                boolean withIds,
                boolean withPValues) {
            this.rows = rows;
            this.detector = detector;
            this.inputs = inputs;
            this.places = places;
            this.withIds = withIds;
            this.withPValues = withPValues;
        }

        @Override
        public boolean hasNext() {
            if (!ready.hasNext() && rows.hasNext()) {
                List<Row> some = new ArrayList<>();
                while (some.size() < ROWS && rows.hasNext()) {
                    some.add(rows.next());
                }
                ready = OneCore.run(() -> scored(some)).iterator();
            }
            return ready.hasNext();
        }

        @Override
        public Row next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return ready.next();
        }

        private List<Row> scored(List<Row> some) {
            Row[] scored = new Row[some.size()];
            for (List<Integer> numbers : withoutRepeats(some)) {
                score(some, numbers, scored);
            }
            return Arrays.asList(scored);
        }

        /** The numbers of the rows, in parts in which no row that was learned from comes twice; nearly always one part. */
        private List<List<Integer>> withoutRepeats(List<Row> some) {
            Map<String, Integer> times = new HashMap<>();
            List<List<Integer>> parts = new ArrayList<>();
            for (int i = 0; i < some.size(); i++) {
                String id = learnedId(some.get(i));
                int before = id == null ? 0 : times.merge(id, 1, Integer::sum) - 1;
                while (parts.size() <= before) {
                    parts.add(new ArrayList<>());
                }
                parts.get(before).add(i);
            }
            return parts;
        }

        private @Nullable String learnedId(Row row) {
            String id = withIds ? row.getString(row.size() - 1) : null;
            return id != null && wasLearned(id) ? id : null;
        }

        private boolean wasLearned(String id) {
            return detector.nodes().role(id) == Role.TRAINING;
        }

        /** Estimators ask for nobody's id but of those that they have learned from; all others may be called anything else. */
        private String name(Row row, int number) {
            String id = learnedId(row);
            StringBuilder other = new StringBuilder("row " + number);
            while (id == null && wasLearned(other.toString())) {
                other.append('\'');
            }
            return id == null ? other.toString() : id;
        }

        private void score(List<Row> some, List<Integer> numbers, Row[] scored) {
            List<Row> part = numbers.stream().map(some::get).toList();
            Evidence evidence = Evidence.of(
                    IntStream.range(0, places.length)
                            .mapToObj(i -> Vectors.matrix(part, places[i], inputs.get(i)))
                            .toList(),
                    NodeSet.of());
            NodeIds ids = NodeIds.named(
                    numbers.stream().map(i -> name(some.get(i), i)).toList());
            Scores scores = detector.score(evidence, ids, Progress.NONE);
            double[] pValues = withPValues ? scores.pValues() : new double[0];
            for (int i = 0; i < part.size(); i++) {
                int width = part.get(i).size() - 1;
                Object[] cells = new Object[width + (withPValues ? 2 : 1)];
                for (int c = 0; c < width; c++) {
                    cells[c] = part.get(i).get(c);
                }
                cells[width] = scores.epistemic()[i];
                if (withPValues && !Double.isNaN(pValues[i])) {
                    cells[width + 1] = pValues[i];
                }
                scored[numbers.get(i)] = RowFactory.create(cells);
            }
        }
    }

    @Override
    public MLWriter write() {
        JointDensityModel model = this;
        return new MLWriter() {
            @Override
            public void saveImpl(String path) {
                DefaultParamsWriter$.MODULE$.saveMetadata(model, path, sparkSession(), Option.empty(), Option.empty());
                model.saveDetector(path, sparkSession());
            }
        };
    }

    private void saveDetector(String path, SparkSession session) {
        try (OutputStream out = files(path, session).create(new Path(path, FILE))) {
            out.write(SharedEmbeddings.bytes(detector));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FileSystem files(String path, SparkSession session) throws IOException {
        return new Path(path).getFileSystem(session.sparkContext().hadoopConfiguration());
    }

    /** Reads what {@link #write} has written. */
    public static MLReader<JointDensityModel> read() {
        return new MLReader<>() {
            @Override
            public JointDensityModel load(String path) {
                DefaultParamsReader.Metadata metadata = DefaultParamsReader$.MODULE$.loadMetadata(
                        path, sparkSession(), JointDensityModel.class.getName());
                try (InputStream in = files(path, sparkSession()).open(new Path(path, FILE))) {
                    JointDensityModel model =
                            new JointDensityModel(metadata.uid(), SharedEmbeddings.read(in.readAllBytes()));
                    metadata.getAndSetParams(model, Option.empty());
                    return model;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };
    }

    /** Reads what {@link #save} has written. */
    public static JointDensityModel load(String path) {
        return read().load(path);
    }
}
