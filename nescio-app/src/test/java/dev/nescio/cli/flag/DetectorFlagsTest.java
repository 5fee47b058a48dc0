package dev.nescio.cli.flag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.Preprocessing;
import dev.nescio.graph.generate.BuiltinGraphs;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

public class DetectorFlagsTest {

    private static DetectorOptions parse(String... args) {
        DetectorFlags flags = new DetectorFlags();
        new CommandLine(CommandLine.Model.CommandSpec.create()
                        .addMixin("flags", CommandLine.Model.CommandSpec.forAnnotatedObject(flags)))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs(args);
        return flags.options(BuiltinGraphs.make("blocks?nodes=60"), Preprocessing.NONE);
    }

    @Test
    void defaultsAreThoseOfTheJavaApi() {
        assertThat(parse()).isEqualTo(DetectorOptions.defaults().withHeldOut(0));
    }

    @Test
    void everyFlagArrives() {
        DetectorOptions options = parse(
                "--seed",
                "7",
                "--leave-out",
                "1,last:1",
                "--hidden",
                "8",
                "--layers",
                "3",
                "--dropout",
                "0.1",
                "--multiplier",
                "2",
                "--learning-rate",
                "0.5",
                "--weight-decay",
                "0.25",
                "--epochs",
                "9",
                "--patience",
                "4",
                "--k",
                "3",
                "--components",
                "6",
                "--states",
                "0,-1",
                "--reduction",
                "mean",
                "--scaling",
                "isotropic",
                "--energy",
                "--separate",
                "--estimator",
                "ebm,jlde",
                "--bandwidth",
                "0.5",
                "--equal-priors",
                "--features",
                "--search",
                "hnsw",
                "--passes",
                "20",
                "--members",
                "6",
                "--calibrate",
                "--model",
                "res-gate",
                "--choose",
                "heads=2",
                "--stopping",
                "loss");

        assertThat(options.toString())
                .isEqualTo("DetectorOptions[architecture=res-gate, "
                        + "model=ModelOptions[hidden=8, layers=3, dropout=0.1, multiplier=2, choices={heads=2}], "
                        + "training=Training[learningRate=0.5, weightDecay=0.25, epochs=9, patience=4, stopping=LOSS, seed=7], "
                        + "preprocessing=Preprocessing[binary=false, rows=NONE], "
                        + "estimators=[ebm, jlde], jlde=JldeOptions[states=[0, -1], k=3, keep=Count[count=6], reduction=MEAN, scaling=ISOTROPIC, "
                        + "energyNormalised=true, separate=true, bandwidth=Fixed[width=0.5], equalPriors=true, "
                        + "features=true, search=HNSW], sampling=SamplingOptions[passes=20, members=6], calibrate=true, heldOut=0.0, leftOut="
                        + options.leftOut() + "]");
        assertThat(options.leftOut()).containsExactlyInAnyOrder(1, 4);
    }
}
