// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.Graph;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.information.LayerInformation;
import dev.nescio.metric.Spread;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.training.TrainingListener;
import dev.nescio.tensor.Parallel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * How homophily changes what the layers of a network know and how well densities on them find an unseen class. The paper states
 * that information lost by a layer may be kept by another, and that the joint density profits; it does not show when.
 *
 * @param points one per homophily
 */
public record HomophilyCurve(List<Point> points) {

    private static final int CLASSES = 5;

    /** What one homophily gives; numbers are over splits. */
    public record Point(double homophily, List<LayerStudy> runs) {

        /** Bits that a state says about the labels of test nodes. */
        public Spread bits(String state) {
            return Spread.of(runs.stream()
                    .flatMap(run -> run.information().stream())
                    .filter(one -> one.state().equals(state) && one.nodes().equals("test"))
                    .mapToDouble(LayerInformation::bits));
        }

        /** AUC-ROC of JLDE on a state. */
        public Spread auc(String state) {
            return Spread.of(runs.stream().mapToDouble(run -> run.auc().get(state)));
        }
    }

    /**
     * @param model architecture
     * @param nodes of each graph
     * @param steps between homophily 0 and 1
     */
    public record Options(
            String model,
            int nodes,
            int steps,
            int splits,
            int hidden,
            int epochs,
            LayerInformation.Options information) {

        /** {@code res-gcn} of width 64 on graphs of 2000 nodes: 11 homophilies, 5 splits, at most 1000 epochs. */
        public static Options defaults() {
            return new Options("res-gcn", 2000, 10, 5, 64, 1000, LayerInformation.Options.defaults());
        }
    }

    /** @param progress runs done and in all */
    public static HomophilyCurve run(Options options, BiConsumer<Integer, Integer> progress) {
        int all = (options.steps + 1) * options.splits;
        LayerStudy[] runs = new LayerStudy[all];
        AtomicInteger done = new AtomicInteger();
        Parallel.sideBySide(all, i -> {
            runs[i] = run(options, Math.floorDiv(i, options.splits) / (double) options.steps, i % options.splits);
            progress.accept(done.incrementAndGet(), all);
        });
        List<Point> points = new ArrayList<>();
        for (int s = 0; s <= options.steps; s++) {
            List<LayerStudy> some = new ArrayList<>();
            for (int split = 0; split < options.splits; split++) {
                some.add(runs[s * options.splits + split]);
            }
            points.add(new Point(s / (double) options.steps, some));
        }
        return new HomophilyCurve(points);
    }

    private static LayerStudy run(Options options, double homophily, int split) {
        Graph graph = BuiltinGraphs.make(
                String.format(Locale.ROOT, "mixed?nodes=%d&homophily=%.3f&seed=%d", options.nodes, homophily, split));
        DetectorOptions detector = DetectorOptions.defaults()
                .with(DetectorOptions.HELD_OUT, 0.0)
                .withArchitecture(options.model)
                .withModel(ModelOptions.of(options.hidden, 2, 0.5, 1))
                .withTraining(TrainingOptions.of(0.01, 1e-4, options.epochs, 100, split))
                .withLeftOut(Set.of(CLASSES - 1));
        Detector trained = Detector.train(graph, graph.split("" + split), detector, TrainingListener.NONE);
        return LayerStudy.of(trained, graph, graph.split("" + split), options.information);
    }

    /** Names of the states, and joint. */
    public List<String> states() {
        Set<String> names = new LinkedHashSet<>(points.get(0).runs.get(0).auc().keySet());
        return List.copyOf(names);
    }

    /** What the curve shows, with its numbers. */
    public String conclusion() {
        Point mostAlone = point(this::extraBits);
        Point leastAlone = point(p -> -extraBits(p));
        Point best = point(this::extraAuc);
        double correlation = correlation();
        Point wisest = point(p -> p.bits(last()).mean());
        Point dullest = point(p -> -p.bits(last()).mean());
        return String.format(
                Locale.ROOT,
                "The last layer knows most about labels at homophily %.1f (%.2f bits) and least at %.1f (%.2f bits). What all layers"
                        + " together know beyond it is largest at homophily %.1f (%+.3f bits) and smallest at %.1f (%+.3f bits)."
                        + " The joint density beats that of the last layer by %+.1f points of AUC-ROC on average, most at"
                        + " homophily %.1f (%+.1f points). Over the %d points, the extra bits of the joint state and the extra AUC-ROC of the joint"
                        + " density have a correlation of %+.2f: %s.",
                wisest.homophily,
                wisest.bits(last()).mean(),
                dullest.homophily,
                dullest.bits(last()).mean(),
                mostAlone.homophily,
                extraBits(mostAlone),
                leastAlone.homophily,
                extraBits(leastAlone),
                100 * points.stream().mapToDouble(this::extraAuc).average().orElseThrow(),
                best.homophily,
                100 * extraAuc(best),
                points.size(),
                correlation,
                correlation > 0.5
                        ? "using all layers helps where the last layer has lost information"
                        : correlation < -0.5
                                ? "the joint density helps where the last layer has lost little information"
                                : "information lost in the last layer does not predict whether the joint density helps");
    }

    private Point point(ToDoubleFunction<Point> highest) {
        return points.stream().max(Comparator.comparingDouble(highest)).orElseThrow();
    }

    /** Joint less last. */
    private double extraBits(Point point) {
        return point.bits("joint").mean() - point.bits(last()).mean();
    }

    private double extraAuc(Point point) {
        return point.auc("joint").mean() - point.auc(last()).mean();
    }

    private String last() {
        List<String> states = states();
        return states.get(states.size() - 2);
    }

    private double correlation() {
        double[] x = points.stream().mapToDouble(this::extraBits).toArray();
        double[] y = points.stream().mapToDouble(this::extraAuc).toArray();
        double meanX = Arrays.stream(x).average().orElse(0);
        double meanY = Arrays.stream(y).average().orElse(0);
        double xy = IntStream.range(0, x.length)
                .mapToDouble(i -> (x[i] - meanX) * (y[i] - meanY))
                .sum();
        double xx = Arrays.stream(x).map(v -> (v - meanX) * (v - meanX)).sum();
        double yy = Arrays.stream(y).map(v -> (v - meanY) * (v - meanY)).sum();
        return xy / Math.sqrt(xx * yy);
    }
}
