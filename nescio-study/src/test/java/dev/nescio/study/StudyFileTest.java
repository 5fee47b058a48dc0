// SPDX-License-Identifier: Apache-2.0
package dev.nescio.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.problem.BadInput;
import dev.nescio.uncertainty.EstimatorSpec;
import dev.nescio.uncertainty.estimator.Estimators;
import dev.nescio.uncertainty.estimator.Sampling;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class StudyFileTest {

    private static final String SMALL = """
            name: small
            splits: 2
            shifts: [clean, far]
            data: [cora_ml, {name: "builtin:moons?homophily=0.1", splits: 1, members: 3}]
            models:
              - {name: res-gcn, estimators: [jlde, "jlde@0,-1"], data: ["builtin:moons*"]}
            """;

    @ParameterizedTest
    @MethodSource("dev.nescio.study.StudyFile#builtin")
    void studiesThatShipCanBeRead(String name) {
        assertThat(StudyFile.read(name).name()).isEqualTo(name);
    }

    @Test
    void readsWhatIsThereAndFillsInTheRest() {
        Study study = StudyFile.parse(SMALL, "small.yaml");

        assertThat(study.initialisations()).isEqualTo(1);
        assertThat(study.overrides()).isEmpty();
        assertThat(study.splitsOf(study.data().get(0))).isEqualTo(2);
        assertThat(study.splitsOf(study.data().get(1))).isEqualTo(1);
        EstimatorSpec ensemble = Estimators.parse("ensemble");
        assertThat(study.effective(ensemble, study.data().get(0)).options().get(Sampling.MEMBERS))
                .isEqualTo(10);
        assertThat(study.effective(ensemble, study.data().get(1)).options().get(Sampling.MEMBERS))
                .isEqualTo(3);
        Study.ModelRun model = study.models().get(0);
        assertThat(model.runsOn(study.data().get(0))).isFalse();
        assertThat(model.runsOn(study.data().get(1))).isTrue();
        assertThat(model.estimators().get(1).text()).isEqualTo("jlde:states=0|-1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "splits: 2 | split: 2 | there is no field 'split'",
                "splits: 2 | splits: many | splits must be a whole number from 1 to 10000, got 'many'",
                "splits: 2 | splits: 0 | splits must be a whole number from 1 to 10000, got '0'",
                "splits: 2 | hiden: 2 | there is no field 'hiden'; did you mean 'hidden'?",
                "[clean, far] | [clean, odd] | there is no shift 'odd'; did you mean",
                "[clean, far] | clean | 'shifts' must be a list",
                "name: res-gcn | name: resnet | resnet",
                "name: res-gcn | hidden: 3 | 'name' is missing",
                "jlde, | jdle, | there is no estimator 'jdle'",
                "@0,-1 | @zero | states must be a list of values, each the number of a state, got 'zero'",
                "moons* | suns* | which is not in data",
                "name: small | name: [ | is not YAML",
                "estimators: [jlde | settings: \"a\\0b\", estimators: [jlde | is not a valid file name",
            })
    void whatIsWrongIsSaid(String right, String wrong, String message) {
        assertThatThrownBy(() -> StudyFile.parse(SMALL.replace(right, wrong), "small.yaml"))
                .isInstanceOf(BadInput.class)
                .hasMessageStartingWith("small.yaml")
                .hasMessageContaining(message);
    }

    @Test
    void aStudyThatIsNotThereIsRefused() {
        assertThatThrownBy(() -> StudyFile.read("nothing.yaml"))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("smoke, quick, extended, paper");
    }
}
