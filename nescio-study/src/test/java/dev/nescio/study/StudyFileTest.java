package dev.nescio.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.problem.BadInput;
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
              - {name: res-gcn, estimators: [jlde, "jlde:states=0|-1"], data: ["builtin:moons*"]}
            """;

    @ParameterizedTest
    @MethodSource("dev.nescio.study.StudyFile#builtin")
    void studiesThatShipCanBeRead(String name) {
        assertThat(StudyFile.read(name).name()).isEqualTo(name);
    }

    @Test
    void readsWhatIsThereAndFillsInTheRest() {
        Study study = StudyFile.parse(SMALL, "small.yaml");

        assertThat(study.members()).isEqualTo(10);
        assertThat(study.patience()).isEqualTo(200);
        assertThat(study.splitsOf(study.data().get(0))).isEqualTo(2);
        assertThat(study.splitsOf(study.data().get(1))).isEqualTo(1);
        assertThat(study.membersOf(study.data().get(1))).isEqualTo(3);
        Study.Backbone model = study.models().get(0);
        assertThat(model.runsOn(study.data().get(0))).isFalse();
        assertThat(model.runsOn(study.data().get(1))).isTrue();
        assertThat(model.estimators().get(1).jlde().states()).containsExactly(0, -1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "splits: 2 | split: 2 | there is no field 'split'",
                "splits: 2 | splits: many | 'splits' must be a whole number, got '\"many\"'",
                "splits: 2 | splits: 0 | splits must be at least 1, got 0",
                "[clean, far] | [clean, odd] | there is no shift 'odd'; there are clean, leave-out, near, far",
                "[clean, far] | clean | 'shifts' must be a list",
                "name: res-gcn | name: resnet | resnet",
                "name: res-gcn | hidden: 3 | 'name' is missing",
                "jlde, | jdle, | there is no estimator 'jdle'",
                "@0,-1 | @zero | 'jlde@zero' stand numbers of states",
                "moons* | suns* | which is not in data",
                "name: small | name: [ | is not YAML",
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
                .hasMessageContaining("smoke, quick, paper");
    }
}
