// SPDX-License-Identifier: Apache-2.0
package dev.nescio.report;

import dev.nescio.information.Accounting;
import dev.nescio.information.LayerInformation;
import dev.nescio.io.file.AtomicFile;
import dev.nescio.metric.Spread;
import dev.nescio.study.HomophilyCurve;
import dev.nescio.study.LayerStudy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Pictures of what layers know. */
public final class InformationReport {

    private static final List<String> NODES = List.of("training", "validation", "test");

    private InformationReport() {}

    /** The exact account of a finite model: amounts per layer with loss and gain between them. */
    public static Markup waterfall(String name, Accounting account) {
        List<Svg.Step> steps = new ArrayList<>();
        for (int i = 0; i < account.perLayer().size(); i++) {
            double bits = account.perLayer().get(i);
            steps.add(new Svg.Step("I(Y; Z" + i + ")", 0, bits, false));
            if (i < account.steps().size()) {
                double kept = bits - account.steps().get(i).loss();
                steps.add(new Svg.Step(account.steps().get(i).loss() < 0 ? "recovered" : "lost", bits, kept, true));
                steps.add(new Svg.Step(
                        "gained", kept, kept + account.steps().get(i).gain(), true));
            }
        }
        steps.add(new Svg.Step("joint", 0, account.joint(), false));
        return Svg.waterfall("Where the bits of model " + name + " go", "bits", steps, account.label());
    }

    /** Several runs of one network on one graph. */
    public static Map<String, Markup> figures(String name, List<LayerStudy> runs) {
        List<String> states = runs.get(0).information().stream()
                .map(LayerInformation::state)
                .distinct()
                .toList();
        double entropy = runs.get(0).information().get(0).entropy();
        List<Svg.Bars> bars = new ArrayList<>();
        for (String nodes : NODES) {
            bars.add(new Svg.Bars(
                    nodes,
                    states.stream()
                            .mapToDouble(state -> bits(runs, state, nodes).mean())
                            .toArray()));
        }
        bars.add(new Svg.Bars(
                "linear, test",
                states.stream().mapToDouble(state -> probe(runs, state).mean()).toArray()));
        Map<String, Markup> figures = new LinkedHashMap<>();
        figures.put(
                "bits", Svg.bars("What the layers of " + name + " say about labels", "bits", states, bars, 0, entropy));
        List<Svg.Step> steps = new ArrayList<>();
        double before = Double.NaN;
        double best = Double.NEGATIVE_INFINITY;
        for (String state : states) {
            if (state.equals("control")) {
                continue;
            }
            double now = bits(runs, state, "test").mean();
            boolean isJoint = state.equals("joint");
            if (!Double.isNaN(before)) {
                steps.add(new Svg.Step(isJoint ? "over the best" : "change", isJoint ? best : before, now, true));
            }
            steps.add(new Svg.Step(state, 0, now, false));
            before = now;
            best = Math.max(best, now);
        }
        figures.put("changes", Svg.waterfall("From layer to layer, test nodes of " + name, "bits", steps, entropy));
        List<String> judged = List.copyOf(runs.get(0).auc().keySet());
        figures.put(
                "auc",
                Svg.bars(
                        "How well JLDE on the same layers finds "
                                + runs.get(0).strange().meaning(),
                        "AUC-ROC",
                        judged,
                        List.of(new Svg.Bars(
                                "JLDE",
                                judged.stream()
                                        .mapToDouble(s -> 100 * auc(runs, s).mean())
                                        .toArray())),
                        0,
                        100));
        return figures;
    }

    /**
     * Bits that a state says about labels, over the runs; the mean is NaN where no run has that state.
     *
     * @param nodes training, validation or test
     */
    public static Spread bits(List<LayerStudy> runs, String state, String nodes) {
        return Spread.of(runs.stream()
                .flatMap(run -> run.information().stream())
                .filter(one -> one.state().equals(state) && one.nodes().equals(nodes))
                .mapToDouble(LayerInformation::bits));
    }

    /** Bits that a linear classifier can use of a state, on test nodes, over the runs. */
    public static Spread probe(List<LayerStudy> runs, String state) {
        return Spread.of(runs.stream()
                .flatMap(run -> run.information().stream())
                .filter(one -> one.state().equals(state) && one.nodes().equals("test"))
                .mapToDouble(LayerInformation::probe));
    }

    /** AUC-ROC of JLDE on a state, 0 to 1, over the runs; the mean is NaN where a run does not have that state. */
    public static Spread auc(List<LayerStudy> runs, String state) {
        return Spread.of(runs.stream().mapToDouble(run -> run.auc().getOrDefault(state, Double.NaN)));
    }

    /** Two figures over homophily: what layers know, and what densities on them find. */
    public static Map<String, Markup> figures(HomophilyCurve curve) {
        double[] x = curve.points().stream()
                .mapToDouble(HomophilyCurve.Point::homophily)
                .toArray();
        Map<String, Markup> figures = new LinkedHashMap<>();
        List<Svg.Series> bits = new ArrayList<>();
        List<Svg.Series> auc = new ArrayList<>();
        for (String state : curve.states()) {
            bits.add(new Svg.Series(
                    state,
                    x,
                    curve.points().stream()
                            .mapToDouble(p -> p.bits(state).mean())
                            .toArray(),
                    false));
            auc.add(new Svg.Series(
                    state,
                    x,
                    curve.points().stream()
                            .mapToDouble(p -> p.auc(state).mean())
                            .toArray(),
                    false));
        }
        figures.put(
                "homophily-bits",
                Svg.lines("What layers know as neighbours become alike", "homophily", "bits", bits, 0, 2));
        figures.put(
                "homophily-auc",
                Svg.lines("How well JLDE on them finds an unseen class", "homophily", "AUC-ROC", auc, 0, 1));
        return figures;
    }

    /** A page with a text and figures; every figure also as a file. */
    public static Path write(Path folder, String title, List<String> paragraphs, Map<String, Markup> figures) {
        figures.forEach((id, svg) -> AtomicFile.write(folder.resolve(id + ".svg"), svg.toString()));
        Markup body = new Markup().put("h1", title);
        paragraphs.forEach(words -> body.put("p", words));
        figures.values().forEach(svg -> body.open("figure").put(svg).close());
        Path page = folder.resolve("information.html");
        AtomicFile.write(page, Page.study(body));
        return page;
    }
}
