// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.Preprocessing;
import dev.nescio.model.TrainingOptions;
import dev.nescio.option.Key;
import dev.nescio.shift.Shift;
import dev.nescio.uncertainty.EstimatorSpec;
import dev.nescio.uncertainty.Need;
import dev.nescio.uncertainty.estimator.Sampling;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * All cells that share trained networks: one data set, model and split, with classes left out or not.
 *
 * @param settings of network and training
 * @param work what is to be found out with the networks
 */
record Group(
        Study study, Study.Data set, StudyGraph data, Settings settings, int split, boolean leavesOut, Set<Work> work) {

    static final String TRAINING = "training";

    /** An estimator and a shift. */
    record Work(EstimatorSpec estimator, Shift shift) {

        boolean needsEnsemble() {
            return estimator.needs(Need.ENSEMBLE);
        }
    }

    /** What tells it from the other groups of a study. */
    String name() {
        return String.join(" ", data.name(), model(), "" + split, "" + leavesOut);
    }

    String model() {
        return settings.architecture().name();
    }

    /** The same with less to do. */
    Group with(Set<Work> left) {
        return new Group(study, set, data, settings, split, leavesOut, new LinkedHashSet<>(left));
    }

    String splitName() {
        return data.split(split).name();
    }

    /** The estimator of some work with all options that hold for it. */
    EstimatorSpec effective(Work piece) {
        return study.effective(piece.estimator, set);
    }

    /** How many networks an estimator looks at. */
    int members(Work piece) {
        return piece.needsEnsemble() ? effective(piece).options().get(Sampling.MEMBERS) : 1;
    }

    /** How many networks the work needs. */
    int networks() {
        int ensemble = work.stream()
                .filter(Work::needsEnsemble)
                .mapToInt(this::members)
                .max()
                .orElse(0);
        int single = work.stream().allMatch(Work::needsEnsemble) ? 0 : study.initialisations();
        return Math.max(ensemble, single);
    }

    /** The cells of one piece of work. */
    List<Cell> cells(Work piece) {
        int count = piece.needsEnsemble() ? 1 : study.initialisations();
        return IntStream.range(0, count).mapToObj(i -> cell(piece, i)).toList();
    }

    Cell cell(Work piece, int initialisation) {
        return new Cell(data.name(), model(), piece.estimator.text(), piece.shift, splitName(), initialisation);
    }

    /** All that decides what a network becomes, besides the data. */
    Key trainingKey() {
        return Key.empty()
                .and("model", settings.model().values())
                .and(TRAINING, settings.training().values())
                .and("preprocessing", preprocessing().values());
    }

    /** All that decides what a cell comes to, besides the cell and the data. */
    Key key(Work piece) {
        Map<String, String> judging = new TreeMap<>(study.options().stored());
        judging.keySet().retainAll(List.of(DetectorOptions.DROP_LEFT_OUT.name(), Study.CALIBRATION_BINS.name()));
        return trainingKey().and("estimator", effective(piece).options()).and("study", judging);
    }

    /** The same but for the seed: cells with different ones stand in tables together. */
    static Key withoutSeed(Key key) {
        return key.without(TRAINING, TrainingOptions.SEED);
    }

    /** What the settings of the model say, otherwise what the data set is known by. */
    Preprocessing preprocessing() {
        Preprocessing chosen = settings.preprocessing();
        return chosen == null ? data.preprocessing() : chosen;
    }
}
