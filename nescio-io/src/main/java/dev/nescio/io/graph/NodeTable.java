// SPDX-License-Identifier: Apache-2.0
package dev.nescio.io.graph;

import dev.nescio.graph.Graph;
import dev.nescio.graph.NodeIds;
import dev.nescio.graph.NodeSet;
import dev.nescio.graph.Split;
import dev.nescio.graph.TableSchema;
import dev.nescio.io.table.TableProblem;
import dev.nescio.io.table.TableReader;
import dev.nescio.io.table.Values;
import dev.nescio.matrix.DenseMatrix;
import dev.nescio.option.Glob;
import dev.nescio.problem.BadInput;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads the table of the nodes. */
public final class NodeTable {

    private static final int MOST_NUMBERS = 1 << 16;
    private static final long MOST_VALUES = Integer.MAX_VALUE - 8;

    private static final List<String> IDS = List.of("id", "node_id", "node", "nodeId", "name");
    private static final List<String> LABELS = List.of("label", "class", "y");
    private static final List<String> MASKS = List.of("train_mask", "val_mask", "test_mask");

    private final TableReader table;
    private final TableLayout layout;
    private final @Nullable TableSchema known;
    private final int id;
    private final int label;
    private final int split;
    private final int[] masks;
    private final List<String> names = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<@Nullable String> labels = new ArrayList<>();
    private final BitSet[] parts = {new BitSet(), new BitSet(), new BitSet()};

    /** What the table of the nodes says. */
    record Nodes(
            Map<String, Integer> numbers,
            NodeIds ids,
            DenseMatrix features,
            int[] labels,
            List<String> classes,
            List<Split> splits,
            String id,
            @Nullable String label,
            List<TableSchema.Column> columns) {}

    private NodeTable(TableReader table, TableLayout layout, @Nullable TableSchema known) {
        this.table = table;
        this.layout = layout;
        this.known = known;
        this.id = Math.max(0, column(layout.id(), IDS));
        this.label = column(known == null ? layout.label() : present(layout.label()), LABELS);
        this.split = column(layout.split(), List.of("split"));
        this.masks = MASKS.stream().mapToInt(table::find).toArray();
    }

    /** A table to be scored need not have labels. */
    private @Nullable String present(@Nullable String name) {
        return name == null || table.find(name) < 0 ? null : name;
    }

    private int column(@Nullable String wanted, List<String> usual) {
        if (wanted != null) {
            int found = table.find(wanted);
            if (found < 0) {
                throw missing(wanted, "");
            }
            return found;
        }
        return usual.stream()
                .mapToInt(table::find)
                .filter(found -> found >= 0)
                .findFirst()
                .orElse(-1);
    }

    private BadInput missing(String column, String why) {
        return new BadInput(table.file() + " has no column '" + column + "'" + why + "; it has "
                + String.join(
                        ", ",
                        table.columns().subList(0, Math.min(20, table.columns().size())))
                + (table.columns().size() > 20 ? ", …" : ""));
    }

    /** @param known what the columns mean; null to learn it */
    static Nodes read(
            TableReader table, TableLayout layout, @Nullable TableSchema known, TableGraph.Listener listener) {
        return new NodeTable(table, layout, known).read(listener);
    }

    private Nodes read(TableGraph.Listener note) {
        List<ColumnValues> values;
        if (known == null) {
            FirstRows first = new FirstRows(table);
            values = learnedColumns(first, note);
            first.rows().forEach(row -> add(row, values));
        } else {
            values = knownColumns(known);
        }
        while (table.next()) {
            add(table, values);
        }
        if (names.isEmpty()) {
            throw new BadInput(table.file() + " has no rows");
        }
        List<TableSchema.Column> columns =
                known == null ? values.stream().map(v -> v.learn(layout)).toList() : known.columns();
        if (note.wantsColumns()) {
            note.columns(profiles(values, columns));
        }
        List<String> classes = Names.sorted(
                labels.stream().filter(text -> text != null).distinct().toList());
        return new Nodes(
                numbers,
                NodeIds.named(names),
                encode(values, columns, note),
                labelNumbers(classes),
                classes,
                splits(),
                table.columns().get(id),
                label < 0 ? null : table.columns().get(label),
                columns);
    }

    /** In the order of the table. */
    private List<ColumnProfile> profiles(List<ColumnValues> values, List<TableSchema.Column> columns) {
        Map<Integer, ColumnProfile> features = new HashMap<>();
        for (int i = 0; i < values.size(); i++) {
            features.put(values.get(i).column, values.get(i).profile(columns.get(i)));
        }
        List<ColumnProfile> profiles = new ArrayList<>();
        for (int i = 0; i < table.columns().size(); i++) {
            String name = table.columns().get(i);
            ColumnProfile feature = features.get(i);
            if (feature != null) {
                profiles.add(feature);
            } else if (i == id) {
                profiles.add(new ColumnProfile(name, "id", "", 0, names.size() + " different", "names the node", ""));
            } else if (i == label) {
                long missing = labels.stream().filter(text -> text == null).count();
                long classes =
                        labels.stream().filter(text -> text != null).distinct().count();
                profiles.add(new ColumnProfile(
                        name, "label", "category", missing, classes + " classes", "what is learned", ""));
            } else {
                boolean isSplit = i == split || MASKS.contains(name);
                profiles.add(new ColumnProfile(
                        name, isSplit ? "split" : "ignored", "", 0, "", isSplit ? "parts of the split" : "none", ""));
            }
        }
        return profiles;
    }

    private List<ColumnValues> knownColumns(TableSchema schema) {
        List<ColumnValues> values = new ArrayList<>();
        for (TableSchema.Column column : schema.columns()) {
            int at = table.find(column.name());
            if (at < 0) {
                throw missing(column.name(), ", which the detector was trained on");
            }
            values.add(
                    column.kind() == TableSchema.Kind.NUMBERS
                            ? ColumnValues.numbers(
                                    column.name(), at, column.numbers().size())
                            : ColumnValues.category(column.name(), at, column.categories()));
        }
        return values;
    }

    private List<ColumnValues> learnedColumns(FirstRows first, Consumer<String> note) {
        List<ColumnValues> values = new ArrayList<>();
        for (int column : featureColumns()) {
            String name = table.columns().get(column);
            int numbersPerField = layout.categorical().contains(name) ? 0 : first.numbersPerField(column, note);
            if (numbersPerField > MOST_NUMBERS) {
                throw new BadInput(table.file() + ": a field of column '" + name + "' holds " + numbersPerField
                        + " numbers; the limit is " + MOST_NUMBERS);
            }
            values.add(
                    numbersPerField == 0
                            ? ColumnValues.category(name, column, null)
                            : ColumnValues.numbers(name, column, numbersPerField));
        }
        return values;
    }

    private List<Integer> featureColumns() {
        List<String> columns = table.columns();
        for (String name : layout.categorical()) {
            if (table.find(name) < 0) {
                throw missing(name, " that could be a category");
            }
        }
        for (String pattern : layout.ignored()) {
            if (columns.stream().noneMatch(name -> matches(pattern, name))) {
                throw missing(pattern, " that could be ignored");
            }
        }
        List<Integer> free = IntStream.range(0, columns.size())
                .filter(i -> i != id && i != label && i != split && !MASKS.contains(columns.get(i)))
                .filter(i -> layout.ignored().stream().noneMatch(pattern -> matches(pattern, columns.get(i))))
                .boxed()
                .toList();
        if (layout.features().isEmpty()) {
            return free;
        }
        List<Integer> chosen = new ArrayList<>();
        for (String pattern : layout.features()) {
            List<Integer> fitting =
                    free.stream().filter(i -> matches(pattern, columns.get(i))).toList();
            if (fitting.isEmpty()) {
                throw missing(pattern, " that could be a feature");
            }
            fitting.stream().filter(i -> !chosen.contains(i)).forEach(chosen::add);
        }
        return chosen;
    }

    private static boolean matches(String pattern, String name) {
        return pattern.equals(name) || Glob.matches(pattern, name);
    }

    private void add(TableReader row, List<ColumnValues> values) {
        int number = names.size();
        String name = row.text(id);
        if (name == null) {
            throw TableProblem.of(row, id, "is no id");
        }
        if (numbers.putIfAbsent(name, number) != null) {
            throw TableProblem.of(row, id, "is the id of an earlier node already");
        }
        names.add(name);
        String labelText = label < 0 ? null : row.text(label);
        labels.add(labelText == null || Values.isMissing(labelText) ? null : labelText);
        place(row, number);
        for (ColumnValues column : values) {
            column.add(row);
        }
    }

    private void place(TableReader row, int number) {
        if (split >= 0) {
            String part = row.text(split);
            switch (part == null ? "" : part.strip().toLowerCase(Locale.ROOT)) {
                case "train", "training" -> parts[0].set(number);
                case "val", "valid", "validation" -> parts[1].set(number);
                case "test" -> parts[2].set(number);
                case "" -> {}
                default -> throw TableProblem.of(row, split, "is none of train, validation, test and empty");
            }
        } else {
            for (int i = 0; i < masks.length; i++) {
                if (masks[i] >= 0 && isTrue(row, masks[i])) {
                    parts[i].set(number);
                }
            }
        }
    }

    private static boolean isTrue(TableReader row, int column) {
        String text = row.text(column);
        return switch (text == null ? "" : text.strip().toLowerCase(Locale.ROOT)) {
            case "1", "1.0", "true" -> true;
            case "", "0", "0.0", "false" -> false;
            default -> throw TableProblem.of(row, column, "is neither true nor false");
        };
    }

    private DenseMatrix encode(List<ColumnValues> values, List<TableSchema.Column> columns, Consumer<String> note) {
        int width = columns.stream().mapToInt(TableSchema.Column::width).sum();
        if ((long) names.size() * width > MOST_VALUES) {
            throw new BadInput(table.file() + " makes " + width + " features of " + names.size()
                    + " nodes; the limit is " + MOST_VALUES + " values in all");
        }
        float[] matrix = new float[names.size() * width];
        int offset = 0;
        for (int i = 0; i < values.size(); i++) {
            String remark = values.get(i).encode(columns.get(i), matrix, width, offset);
            if (!remark.isEmpty()) {
                note.accept(table.file() + ", " + remark);
            }
            offset += columns.get(i).width();
        }
        DenseMatrix features = DenseMatrix.of(names.size(), width, matrix);
        if (features.firstNotFinite() != null) {
            int column = features.firstNotFinite().column();
            throw new BadInput(table.file() + ": the value of "
                    + new TableSchema("", null, "", "", false, columns)
                            .featureNames()
                            .get(column)
                    + " is missing for node '"
                    + names.get(features.firstNotFinite().row())
                    + "'"
                    + (known == null
                            ? "; --missing mean or zero would fill it"
                            : ", and the detector was trained to refuse that"));
        }
        return features;
    }

    private int[] labelNumbers(List<String> classes) {
        Map<String, Integer> byName = new HashMap<>();
        classes.forEach(name -> byName.put(name, byName.size()));
        return labels.stream()
                .mapToInt(text -> text == null ? Graph.UNLABELLED : byName.get(text))
                .toArray();
    }

    private List<Split> splits() {
        if (parts[0].isEmpty()) {
            return List.of();
        }
        String name = split >= 0 ? table.columns().get(split) : "masks";
        NodeSet[] sets = new NodeSet[parts.length];
        for (int i = 0; i < sets.length; i++) {
            sets[i] = NodeSet.of(parts[i].stream().toArray());
        }
        try {
            return List.of(new Split(name, sets[0], sets[1], sets[2]));
        } catch (BadInput e) {
            throw new BadInput(table.file() + ": " + e.getMessage(), e);
        }
    }
}
