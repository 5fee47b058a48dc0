// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.output;

import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.Provenance;
import dev.nescio.detector.TestResult;
import dev.nescio.graph.Split;
import dev.nescio.uncertainty.Temperature;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What a training has come to, in a few lines, and what to do next. */
public final class TrainingSummary {

    private final String file;
    private final Detector detector;
    private final Split split;
    private final TestResult test;
    private final String next;

    /**
     * @param file where the detector was saved
     * @param test how it does on the test nodes of the split
     * @param next a command
     */
    public TrainingSummary(String file, Detector detector, Split split, TestResult test, String next) {
        this.file = file;
        this.detector = detector;
        this.split = split;
        this.test = test;
        this.next = next;
    }

    public Map<String, Object> json() {
        Provenance p = detector.provenance();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("model", file);
        json.put("epochs", p.epochs());
        json.put("bestEpoch", p.bestEpoch());
        json.put("validationAccuracy", p.validationAccuracy());
        json.put("trainingNodes", detector.nodes().training().size());
        json.put("validationNodes", detector.nodes().choosing().size());
        json.put("heldOutNodes", detector.calibration().nodes());
        json.put("temperature", detector.estimators().temperature());
        json.put("test", test);
        json.put("next", next);
        return json;
    }

    public String text() {
        Provenance p = detector.provenance();
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%s: %d epochs, best validation accuracy %.3f in epoch %d%n",
                file,
                p.epochs(),
                p.validationAccuracy(),
                p.bestEpoch()));
        line(
                text,
                "nodes",
                String.format(
                        Locale.ROOT,
                        "%,d training, %,d validation (%,d of them held out), %,d test with a known class",
                        detector.nodes().training().size(),
                        split.validation().size(),
                        detector.calibration().nodes(),
                        test.nodes()));
        if (test.nodes() == 0) {
            line(text, "test", "there are no labelled test nodes: nothing can be said about the accuracy on new ones");
        } else {
            line(
                    text,
                    "test accuracy",
                    String.format(
                            Locale.ROOT,
                            "%.3f (always '%s': %.3f)%s",
                            test.accuracy(),
                            test.largestClass(),
                            test.largestShare(),
                            test.accuracy() > test.largestShare()
                                    ? ""
                                    : "; no better than the largest class: nothing was learned"));
            if (!Double.isNaN(test.rocAuc())) {
                line(text, "ROC-AUC", String.format(Locale.ROOT, "%.3f", test.rocAuc()));
            }
            line(
                    text,
                    "calibration",
                    String.format(
                            Locale.ROOT,
                            "mean probability %.3f, expected calibration error %.3f %s",
                            test.meanProbability(),
                            test.calibrationError(),
                            temperature()));
        }
        line(text, "next", next);
        return text.toString().stripTrailing();
    }

    private String temperature() {
        if (detector.options().estimators().get(0).estimator().predictsItself()) {
            return "(no temperature: " + detector.options().labels().get(0) + " predicts by itself)";
        }
        double temperature = detector.estimators().temperature();
        if (temperature != 1) {
            return String.format(Locale.ROOT, "(%.3f before temperature %.2f)", test.uncalibratedError(), temperature);
        }
        boolean isWanted = detector.options().detector().get(DetectorOptions.CALIBRATE) == Temperature.Fitting.AUTO;
        return isWanted
                ? "(no temperature: fewer than " + Temperature.ENOUGH + " labelled nodes are held out)"
                : "(no temperature)";
    }

    private static void line(StringBuilder text, String key, String value) {
        text.append(String.format("  %-14s %s%n", key, value));
    }
}
