package dev.nescio.cli.flag;

import dev.nescio.detector.DetectorOptions;
import dev.nescio.detector.SamplingOptions;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Preprocessing;
import dev.nescio.model.ModelOptions;
import dev.nescio.model.TrainingOptions;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.uncertainty.density.Bandwidth;
import dev.nescio.uncertainty.density.Keep;
import dev.nescio.uncertainty.density.Scaling;
import dev.nescio.uncertainty.estimator.JldeOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The flags behind {@link DetectorOptions}; defaults are those of the Java API. */
public final class DetectorFlags {

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "0",
            description = "Seed of everything random (default 0).")
    public long seed;

    @Option(
            names = "--tuned",
            paramLabel = "DATA/MODEL",
            preprocessor = TunedArguments.class,
            description = "The settings that ship with Nescio for a data set and a model, such as cora_ml/gprgnn;"
                    + " options behind it change them.")
    public String tuned = "";

    @Option(
            names = "--leave-out",
            paramLabel = "CLASSES",
            split = ",",
            description = "Classes that training must not see, by name or number: 4,5 or first:2 or last:3.")
    public List<String> leaveOut = new ArrayList<>();

    @Option(
            names = "--states",
            paramLabel = "I",
            split = ",",
            description = "Hidden states to join, by number; negative from the end (default: all).")
    public List<Integer> states = new ArrayList<>();

    @Mixin
    Network network = new Network();

    @Mixin
    Estimator estimator = new Estimator();

    public static final class Network {

        @Option(
                names = "--model",
                paramLabel = "NAME",
                defaultValue = "res-gcn",
                description = "Architecture, see 'nescio models' (default ${DEFAULT-VALUE}).")
        public String model = "res-gcn";

        @Option(
                names = "--hidden",
                paramLabel = "N",
                defaultValue = "64",
                description = "Width of the hidden states (default ${DEFAULT-VALUE}).")
        public int hidden = 64;

        @Option(
                names = "--layers",
                paramLabel = "N",
                defaultValue = "2",
                description = "Rounds of message passing (default ${DEFAULT-VALUE}).")
        public int layers = 2;

        @Option(
                names = "--dropout",
                paramLabel = "P",
                defaultValue = "0.5",
                description = "Share of entries dropped while training (default ${DEFAULT-VALUE}).")
        public double dropout = 0.5;

        @Option(
                names = "--multiplier",
                paramLabel = "N",
                defaultValue = "1",
                description = "Inner width of the feed-forward modules, in hidden widths (default ${DEFAULT-VALUE}).")
        public int multiplier = 1;

        @Option(
                names = "--learning-rate",
                paramLabel = "X",
                defaultValue = "0.001",
                description = "Of Adam (default ${DEFAULT-VALUE}).")
        public double learningRate = 0.001;

        @Option(
                names = "--weight-decay",
                paramLabel = "X",
                defaultValue = "1e-4",
                description = "L2 term in the gradient (default ${DEFAULT-VALUE}).")
        public double weightDecay = 1e-4;

        @Option(
                names = "--epochs",
                paramLabel = "N",
                defaultValue = "10000",
                description = "At most (default ${DEFAULT-VALUE}).")
        public int epochs = 10_000;

        @Option(
                names = "--patience",
                paramLabel = "N",
                defaultValue = "200",
                description = "Epochs without a better one before stopping (default ${DEFAULT-VALUE}).")
        public int patience = 200;

        @Option(
                names = "--stopping",
                paramLabel = "NAME",
                defaultValue = "accuracy",
                description =
                        "What tells the best epoch, of the validation nodes: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}).")
        TrainingOptions.Stopping stopping = TrainingOptions.Stopping.ACCURACY;

        @Option(
                names = "--choose",
                paramLabel = "NAME=VALUE",
                split = ",",
                description = "What only this architecture lets choose, see 'nescio models'.")
        public Map<String, String> choices = new LinkedHashMap<>();
    }

    public static final class Estimator {

        @Option(
                names = "--estimator",
                paramLabel = "NAMES",
                defaultValue = "jlde",
                split = ",",
                description =
                        "Estimators to fit, see 'nescio estimators'; the first one is the epistemic uncertainty (default ${DEFAULT-VALUE}).")
        public List<String> names = List.of("jlde");

        @Option(
                names = "--k",
                paramLabel = "N",
                defaultValue = "5",
                description = "Nearest training nodes (default ${DEFAULT-VALUE}).")
        public int k = 5;

        @Option(
                names = "--components",
                paramLabel = "X",
                defaultValue = "0.95",
                description =
                        "Principal components per state: a share of variance (default ${DEFAULT-VALUE}), a number, or none.")
        public String components = "0.95";

        @Option(
                names = "--reduction",
                paramLabel = "NAME",
                defaultValue = "squared_mean",
                description = "Of k distances: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}).")
        JldeOptions.Reduction reduction = JldeOptions.Reduction.SQUARED_MEAN;

        @Option(
                names = "--scaling",
                paramLabel = "NAME",
                defaultValue = "none",
                description = "Of the states: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}).")
        Scaling scaling = Scaling.NONE;

        @Option(
                names = "--energy",
                description = "Divide each distance by the softplus of the training node's logit energy.")
        public boolean energy;

        @Option(names = "--separate", description = "Score each state by itself and add, instead of joining them.")
        public boolean separate;

        @Option(
                names = "--bandwidth",
                paramLabel = "X",
                defaultValue = "median",
                description =
                        "Of the kernels of jlde-kde: a number, scale, scott or median (default ${DEFAULT-VALUE}).")
        public String bandwidth = "median";

        @Option(names = "--equal-priors", description = "Let all classes of jlde-mixture weigh alike.")
        public boolean equalPriors;

        @Option(names = "--features", description = "Join the features of the nodes as one more state.")
        public boolean features;

        @Option(
                names = "--search",
                paramLabel = "NAME",
                defaultValue = "exact",
                description =
                        "For nearest training nodes: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}); hnsw is approximate and"
                                + " used from 10,000 training nodes on.")
        JldeOptions.Search search = JldeOptions.Search.EXACT;

        @Option(
                names = "--passes",
                paramLabel = "N",
                defaultValue = "50",
                description = "With dropout, for mcd (default ${DEFAULT-VALUE}).")
        public int passes = 50;

        @Option(
                names = "--members",
                paramLabel = "N",
                defaultValue = "10",
                description = "Networks to train for ensemble (default ${DEFAULT-VALUE}).")
        public int members = 10;

        @Option(
                names = "--calibrate",
                description = "Fit a temperature on the validation nodes, for probabilities and aleatoric uncertainty.")
        public boolean calibrate;

        public JldeOptions jlde(List<Integer> states) {
            return new JldeOptions(
                    states,
                    k,
                    Keep.parse(components),
                    reduction,
                    scaling,
                    energy,
                    separate,
                    Bandwidth.parse(bandwidth),
                    equalPriors,
                    features,
                    search);
        }
    }

    /** All validation nodes choose the best epoch. */
    public DetectorOptions options(Graph graph, Preprocessing preprocessing) {
        return new DetectorOptions(
                network.model,
                new ModelOptions(network.hidden, network.layers, network.dropout, network.multiplier, network.choices),
                new TrainingOptions(
                        network.learningRate,
                        network.weightDecay,
                        network.epochs,
                        network.patience,
                        network.stopping,
                        seed),
                preprocessing,
                estimator.names,
                estimator.jlde(states),
                new SamplingOptions(estimator.passes, estimator.members),
                estimator.calibrate,
                0,
                leftOut(graph));
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
