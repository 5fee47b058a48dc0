// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.matrix.NdArray;
import dev.nescio.option.Option;
import dev.nescio.option.OptionGroup;
import dev.nescio.option.Options;
import dev.nescio.problem.BadModelFile;
import dev.nescio.progress.Progress;
import dev.nescio.uncertainty.Divisible;
import dev.nescio.uncertainty.Estimator;
import dev.nescio.uncertainty.Evidence;
import dev.nescio.uncertainty.Explainable;
import dev.nescio.uncertainty.Explanation;
import dev.nescio.uncertainty.FittedEstimator;
import dev.nescio.uncertainty.Need;
import dev.nescio.uncertainty.Population;
import dev.nescio.uncertainty.density.Keep;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Joint latent density estimation on relative states: a state is described by where it points and by the logarithm of its length,
 *
 * <pre>[ h / (|h| + r),  ln(1 + |h| / r) ],   r = a tenth of the median |h| of the training nodes (1 where that is 0)</pre>
 *
 * so that a difference of 10 % counts alike in every layer and at every node. Multiplying a layer by a number changes no mutual
 * information, but it changes the distances of {@link Jlde}; it does not change these. Everything behind the map is the density of the
 * JLDE family that this one is made from.
 */
final class JldeRelative implements Estimator {

    private static final double GUARD = 0.1;

    private static final Option<Keep> COMPONENTS = Option.of(
                    JointStates.COMPONENTS.name(),
                    JointStates.COMPONENTS.kind(),
                    new Keep.Everything(),
                    JointStates.COMPONENTS.help())
            .withDefault(new Keep.WhereWide());
    private static final Set<String> NOT_RELATIVE = Set.of(
            JointStates.FEATURES.name(), JointStates.SCALING.name(), JointStates.SEPARATE.name(), COMPONENTS.name());

    private final About about;
    private final JointEstimator density;

    JldeRelative(String name, String summary, JointEstimator density) {
        this.about = new About(name, summary, density.about().input(), "Nescio");
        this.density = density;
    }

    @Override
    public About about() {
        return about;
    }

    @Override
    public OptionGroup options() {
        List<Option<?>> own = new ArrayList<>(List.of(COMPONENTS));
        density.options().options().stream()
                .filter(option -> !NOT_RELATIVE.contains(option.name()))
                .forEach(own::add);
        return new OptionGroup(name(), own);
    }

    @Override
    public Set<Need> needs() {
        return density.needs();
    }

    @Override
    public void require(Options options, Available available) {
        int states = JointStates.statesOf(options, available.states()).size();
        density.require(
                inner(options),
                new Available(available.source(), 2 * states, available.trainingNodes(), available.met()));
    }

    /** The options of the density, which sees all of the states that were chosen. */
    private Options inner(Options options) {
        Map<String, String> texts = options.texts();
        texts.remove(JointStates.STATES.name());
        return density.options().parse(texts);
    }

    @Override
    public FittedEstimator fit(Options options, Evidence evidence) {
        List<Integer> states = JointStates.statesOf(options, evidence.states().size());
        int[] chosen = states.stream().mapToInt(state -> state).toArray();
        List<double[]> lengths = lengths(evidence.states(), chosen);
        int[] training = evidence.training().toArray();
        double[] radii = lengths.stream()
                .mapToDouble(all -> radius(IntStream.of(training).mapToDouble(node -> all[node])))
                .toArray();
        return new Fitted(chosen, radii, density.fit(inner(options), relative(evidence, chosen, lengths, radii)));
    }

    private static List<double[]> lengths(List<DenseMatrix> states, int[] chosen) {
        return IntStream.of(chosen)
                .mapToObj(state -> RelativeRows.lengths(states.get(state)))
                .toList();
    }

    private static double radius(DoubleStream trainingLengths) {
        double[] lengths = trainingLengths.sorted().toArray();
        int half = lengths.length / 2;
        double median = lengths.length == 0
                ? 0
                : lengths.length % 2 == 1 ? lengths[half] : (lengths[half - 1] + lengths[half]) / 2;
        return median == 0 ? 1 : GUARD * median;
    }

    /** Two states for each: where it points, and the logarithm of its length. */
    private static Evidence relative(Evidence evidence, int[] chosen, List<double[]> lengths, double[] radii) {
        Evidence some = evidence.withStates(relative(evidence.states(), chosen, lengths, radii));
        Population all = evidence.population();
        return all == null
                ? some
                : some.outOf(all.map(block -> relative(block, chosen, lengths(block, chosen), radii)));
    }

    private static List<DenseMatrix> relative(
            List<DenseMatrix> all, int[] chosen, List<double[]> lengths, double[] radii) {
        List<DenseMatrix> states = new ArrayList<>();
        for (int s = 0; s < chosen.length; s++) {
            states.addAll(RelativeRows.of(all.get(chosen[s]), lengths.get(s), radii[s]));
        }
        return states;
    }

    @Override
    public FittedEstimator load(Options options, Map<String, NdArray> state) {
        int[] states = StoredState.ints(state, "relative.states");
        double[] radii = StoredState.doubles(state, "relative.radii");
        boolean isSound = states.length == radii.length && Arrays.stream(radii).allMatch(r -> r > 0);
        if (!isSound || Arrays.stream(states).anyMatch(s -> s < 0)) {
            throw new BadModelFile("'relative.radii' does not hold one positive number per state");
        }
        return new Fitted(states, radii, density.load(inner(options), state));
    }

    /**
     * @param states numbers of the chosen states
     * @param radii one per state
     */
    private record Fitted(int[] states, double[] radii, FittedEstimator density) implements Explainable, Divisible {

        private Evidence map(Evidence evidence) {
            int count = evidence.states().size();
            for (int state : states) {
                if (state >= count) {
                    throw new BadModelFile("fitted on state " + state + ", but there are " + count + " states");
                }
            }
            return relative(evidence, states, lengths(evidence.states(), states), radii);
        }

        @Override
        public double[] score(Evidence evidence, Progress progress) {
            return density.score(map(evidence), progress);
        }

        @Override
        public boolean isDivisible() {
            return density instanceof Divisible divisible && divisible.isDivisible();
        }

        private Divisible divisible() {
            return (Divisible) density;
        }

        @Override
        public int trainingRows() {
            return divisible().trainingRows();
        }

        @Override
        public long trainingBytes() {
            return divisible().trainingBytes();
        }

        @Override
        public int fewestRows() {
            return divisible().fewestRows();
        }

        @Override
        public Divisible part(int from, int to) {
            return new Fitted(states, radii, divisible().part(from, to));
        }

        @Override
        public Comparison compare(Evidence evidence) {
            return divisible().compare(map(evidence));
        }

        @Override
        public double[] score(Comparison all) {
            return divisible().score(all);
        }

        @Override
        public String remark() {
            return density.remark();
        }

        @Override
        public boolean isExplainable() {
            return density instanceof Explainable explainable && explainable.isExplainable();
        }

        @Override
        public Explanation explain(Evidence evidence, int node) {
            Explanation of = ((Explainable) density).explain(map(evidence), node);
            return new Explanation(
                    of.score(),
                    of.contributions().stream()
                            .map(part -> new Explanation.Contribution(
                                    states[part.state() / 2],
                                    part.state() % 2 == 0 ? Explanation.Aspect.DIRECTION : Explanation.Aspect.LENGTH,
                                    part.amount()))
                            .toList(),
                    of.neighbours());
        }

        @Override
        public Map<String, NdArray> state() {
            Map<String, NdArray> state = new LinkedHashMap<>(density.state());
            state.put("relative.states", NdArray.of(states));
            state.put("relative.radii", NdArray.of(radii));
            return state;
        }
    }
}
