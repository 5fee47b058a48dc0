// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.flag;

import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.TrainingView;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Split;
import dev.nescio.model.ModelOptions;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.problem.BadInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The flags behind {@link DetectorOptions}. */
public final class DetectorFlags extends OptionFlags {

    private static final int FEW_FEATURES = 32;
    private static final double LITTLE_DROPOUT = 0.2;

    @Option(
            names = "--leave-out",
            paramLabel = "CLASSES",
            split = ",",
            description = "Classes to hide from training, by name or number: 4,5 or first:2 or last:3.")
    List<String> leaveOut = new ArrayList<>();

    @Mixin
    public ModelFlags model;

    @Mixin
    public TrainingFlags training;

    @Mixin
    public EstimatorFlags estimators;

    @Mixin
    public PreprocessingFlags preprocessing;

    public DetectorFlags() {
        super(DetectorOptions.GROUP);
    }

    @Override
    public String heading() {
        return "Detector";
    }

    public DetectorOptions options(Graph graph) {
        return options(graph, graph.features().columns());
    }

    /** @param features of the graph, which need not hold them */
    public DetectorOptions options(Graph graph, int features) {
        DetectorOptions options = new DetectorOptions(
                model.architecture(),
                model.options(),
                training.options(),
                preprocessing.preprocessing(),
                estimators.specs(),
                DetectorOptions.GROUP.parse(given()),
                leftOut(graph));
        return hasTooFewFeaturesToDrop(features) ? options.with(ModelOptions.DROPOUT, LITTLE_DROPOUT) : options;
    }

    /** Half of very few features is too little to learn from; whoever names a rate gets that one. */
    private boolean hasTooFewFeaturesToDrop(int features) {
        return features < FEW_FEATURES && !model.given().containsKey(ModelOptions.DROPOUT.name());
    }

    /** What a user should know about these options on a graph; empty for nothing. */
    public String remark(int features) {
        return hasTooFewFeaturesToDrop(features)
                ? "note: dropout " + LITTLE_DROPOUT + " instead of 0.5: features are few (" + features
                        + "); --dropout chooses another, --auto tries several"
                : "";
    }

    /** The same where all validation nodes choose the best epoch, unless the user says otherwise. */
    public DetectorOptions optionsWithoutHeldOut(Graph graph) {
        return optionsWithoutHeldOut(graph, graph.features().columns());
    }

    /** @param features of the graph, which need not hold them */
    public DetectorOptions optionsWithoutHeldOut(Graph graph, int features) {
        DetectorOptions options = options(graph, features);
        return given().containsKey(DetectorOptions.HELD_OUT.name())
                ? options
                : options.with(DetectorOptions.HELD_OUT, 0.0);
    }

    /** Refuses what cannot be trained; a graph speaks of itself by its name, a user wants to know the file. */
    public static TrainingView view(String source, Graph graph, Split split, DetectorOptions options) {
        try {
            return TrainingView.of(graph, split, options);
        } catch (BadInput e) {
            boolean isNamed = e.getMessage().startsWith(graph.name());
            throw isNamed
                    ? new BadInput(
                            source + e.getMessage().substring(graph.name().length()), e)
                    : e;
        }
    }

    private Set<Integer> leftOut(Graph graph) {
        Set<Integer> classes = new TreeSet<>();
        int count = graph.classes().size();
        for (String part : leaveOut) {
            if (part.matches("(first|last):\\d{1,9}")) {
                int size = Math.min(count, Integer.parseInt(part.substring(part.indexOf(':') + 1)));
                int begin = part.startsWith("first") ? 0 : count - size;
                for (int c = begin; c < begin + size; c++) {
                    classes.add(c);
                }
            } else {
                classes.add(classNumber(graph, part));
            }
        }
        return classes;
    }

    private static int classNumber(Graph graph, String name) {
        int byName = graph.classes().indexOf(name);
        if (byName < 0 && name.matches("\\d{1,9}")) {
            byName = Integer.parseInt(name);
        }
        if (byName < 0 || byName >= graph.classes().size()) {
            throw new BadConfiguration(
                    graph.name() + " has no class '" + name + "'; it has " + String.join(", ", graph.classes()));
        }
        return byName;
    }
}
