// SPDX-License-Identifier: Apache-2.0
package dev.nescio.cli.flag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.Preprocessing;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.model.network.Architectures;
import dev.nescio.option.Option;
import dev.nescio.option.OptionGroup;
import dev.nescio.uncertainty.EstimatorSpec;
import dev.nescio.uncertainty.Temperature;
import dev.nescio.uncertainty.estimator.Estimators;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class DetectorFlagsTest {

    private static CommandLine command(DetectorFlags flags) {
        CommandSpec spec = CommandSpec.create().addMixin("flags", CommandSpec.forAnnotatedObject(flags));
        OptionFlags.addAll(spec);
        return new CommandLine(spec).setOverwrittenOptionsAllowed(true);
    }

    private static DetectorOptions parse(String... args) {
        DetectorFlags flags = new DetectorFlags();
        command(flags).parseArgs(args);
        return flags.options(BuiltinGraphs.make("blocks?nodes=60"));
    }

    static List<Option<?>> declared() {
        return OptionGroup.union(
                        "everything",
                        List.of(
                                ModelOptions.COMMON,
                                TrainingOptions.GROUP,
                                Preprocessing.GROUP,
                                DetectorOptions.GROUP,
                                Estimators.options()))
                .options();
    }

    @Test
    void defaultsAreThoseOfTheJavaApi() {
        assertThat(parse()).isEqualTo(DetectorOptions.defaults());
    }

    /** A new option is a flag by being declared. */
    @ParameterizedTest
    @MethodSource("declared")
    void everyDeclaredOptionIsAFlag(Option<?> option) {
        CommandLine command = command(new DetectorFlags());

        assertThat(command.getCommandSpec().findOption("--" + option.name())).isNotNull();
        assertThat(command.getUsageMessage()).contains("--" + option.name());
    }

    @Test
    void everyFlagArrives() {
        DetectorOptions options = parse(
                ("--seed 7 --leave-out 1,last:1 --hidden 8 --layers 3 --dropout 0.1 --multiplier 2 --learning-rate 0.5"
                                + " --weight-decay 0.25 --epochs 9 --patience 4 --k 3 --components 6 --states 0,-1 --reduction mean"
                                + " --scaling isotropic --energy --separate --estimator ebm,jlde,jlde-kde,jlde-mixture,mcd,ensemble"
                                + " --bandwidth 0.5 --equal-priors --features --passes 20 --members 6 --calibrate"
                                + " --model res-gate --choose heads=2 --stopping LOSS --binary --normalise L2 --held-out 0.25")
                        .split(" "));

        assertThat(options.architecture().name()).isEqualTo("res-gate");
        assertThat(options.model())
                .isEqualTo(ModelOptions.of(8, 3, 0.1, 2)
                        .in(Architectures.named("res-gate").options(), Map.of("heads", "2")));
        assertThat(options.training())
                .isEqualTo(TrainingOptions.of(0.5, 0.25, 9, 4, 7)
                        .with(TrainingOptions.STOPPING, TrainingOptions.Stopping.LOSS));
        assertThat(options.preprocessing()).isEqualTo(Preprocessing.of(true, Preprocessing.RowNorm.L2));
        assertThat(options.estimators().stream().map(EstimatorSpec::text))
                .containsExactly(
                        "ebm",
                        "jlde:components=6,energy=true,features=true,k=3,reduction=mean,scaling=isotropic,separate=true,"
                                + "states=0|-1",
                        "jlde-kde:bandwidth=0.5,components=6,features=true,scaling=isotropic,separate=true,states=0|-1",
                        "jlde-mixture:components=6,equal-priors=true,features=true,scaling=isotropic,separate=true,states=0|-1",
                        "mcd:passes=20",
                        "ensemble:members=6");
        assertThat(options.detector().get(DetectorOptions.CALIBRATE)).isEqualTo(Temperature.Fitting.TRUE);
        assertThat(options.heldOut()).isEqualTo(0.25);
        assertThat(options.leftOut()).containsExactlyInAnyOrder(1, 4);
    }

    /** As a flag, which it was at first, and with a value. */
    @Test
    void calibrateNeedsNoValue() {
        assertThat(parse().detector().get(DetectorOptions.CALIBRATE)).isEqualTo(Temperature.Fitting.AUTO);
        assertThat(parse("--calibrate", "--hidden", "8").detector().get(DetectorOptions.CALIBRATE))
                .isEqualTo(Temperature.Fitting.TRUE);
        assertThat(parse("--calibrate", "false").detector().get(DetectorOptions.CALIBRATE))
                .isEqualTo(Temperature.Fitting.FALSE);
    }

    @Test
    void optionsOfOneEstimatorFollowItsName() {
        assertThat(parse("--estimator", "jlde:k=10,states=0|-1,jlde,ebm", "--components", "none").estimators().stream()
                        .map(EstimatorSpec::text))
                .containsExactly("jlde:components=none,k=10,states=0|-1", "jlde:components=none", "ebm");
        assertThat(parse("--estimator", "jlde@0,-1,ebm").labels()).containsExactly("jlde", "ebm");
        assertThatThrownBy(() -> parse("--estimator", "jlde:kk=10"))
                .hasMessageStartingWith("jlde has no option 'kk'; did you mean 'k'?");
        assertThatThrownBy(() -> parse("--k", "0"))
                .hasMessageContaining("k must be a whole number of at least 1, got '0'");
    }

    @Test
    void theLastOfTwoCounts() {
        assertThat(parse("--hidden", "8", "--epochs", "3", "--hidden", "16")
                        .model()
                        .hidden())
                .isEqualTo(16);
    }
}
