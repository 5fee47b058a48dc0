package dev.nescio.study;

import dev.nescio.uncertainty.Need;
import dev.nescio.uncertainty.estimator.Estimators;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * All cells that share trained networks: one data set, model and split, with classes left out or not.
 *
 * @param settings of network and training
 * @param members of an ensemble
 * @param work what is to be found out with the networks
 */
record Group(
        StudyGraph data, String model, Settings settings, int members, int split, boolean leavesOut, Set<Work> work) {

    /** An estimator and a shift. */
    record Work(EstimatorChoice estimator, Shift shift) {

        boolean needsEnsemble() {
            return Estimators.anyNeeds(List.of(estimator.name()), Need.ENSEMBLE);
        }
    }

    /** The same with less to do. */
    Group with(Set<Work> left) {
        return new Group(data, model, settings, members, split, leavesOut, new LinkedHashSet<>(left));
    }

    String splitName() {
        return data.split(split).name();
    }

    /** How many networks the work needs. */
    int networks(Study study) {
        int ensemble = work.stream().anyMatch(Work::needsEnsemble) ? members : 0;
        int single = work.stream().allMatch(Work::needsEnsemble) ? 0 : study.initialisations();
        return Math.max(ensemble, single);
    }

    /** The cells of one piece of work. */
    List<Cell> cells(Work piece, Study study) {
        int count = piece.needsEnsemble() ? 1 : study.initialisations();
        return IntStream.range(0, count).mapToObj(i -> cell(piece, i)).toList();
    }

    Cell cell(Work piece, int initialisation) {
        return new Cell(data.name(), model, piece.estimator.text(), piece.shift, splitName(), initialisation);
    }
}
