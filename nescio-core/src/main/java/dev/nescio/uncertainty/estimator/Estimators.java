// SPDX-License-Identifier: Apache-2.0
package dev.nescio.uncertainty.estimator;

import dev.nescio.option.Nearest;
import dev.nescio.option.OptionGroup;
import dev.nescio.option.Options;
import dev.nescio.problem.BadConfiguration;
import dev.nescio.uncertainty.Estimator;
import dev.nescio.uncertainty.EstimatorSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The registry of estimators. */
public final class Estimators {

    private static final JldeRelative RELATIVE = new JldeRelative(
            "jlde-relative",
            "jlde on directions and log lengths of all layers, so that no layer drowns the others; the default",
            new Jlde());

    private static final List<Estimator> ALL = List.of(
            new Jlde(),
            new JldeKernels(),
            new JldeMixture(),
            RELATIVE,
            new JldeRelative("jlde-relative-kde", "the same with Gaussian kernels", new JldeKernels()),
            new JldeRelative("jlde-relative-mixture", "the same with one Gaussian per class", new JldeMixture()),
            new JldeSmoothed(RELATIVE),
            new Mahalanobis(),
            new Ebm(),
            new GnnSafe(),
            new Gebm(),
            Sampling.MCD,
            Sampling.MCD_INFORMATION,
            Sampling.MCD_ENTROPY,
            Sampling.ENSEMBLE,
            Sampling.ENSEMBLE_INFORMATION,
            Sampling.ENSEMBLE_ENTROPY,
            new Evidential());

    /** For nodes of graphs without labels: it judges surprises, not hidden states, so nobody can choose it for a network. */
    private static final Estimator SURPRISE = new Surprise();

    /** An option that older versions had, and its values. */
    private static final String OLD_SEARCH = "search";

    private static final List<String> OLD_SEARCHES = List.of("exact", "hnsw");

    private Estimators() {}

    /** All estimators in the order of the help. */
    public static List<Estimator> all() {
        return ALL;
    }

    /**
     * The estimator of this name, without options; refuses others, with a hint at similar names.
     *
     * <pre>{@code
     * Estimator jlde = Estimators.named("jlde");
     * EstimatorSpec tenNeighbours = Estimators.parse("jlde:k=10,states=0|-1");
     * }</pre>
     */
    public static Estimator named(String name) {
        List<String> names = ALL.stream().map(Estimator::name).toList();
        return ALL.stream()
                .filter(estimator -> estimator.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new BadConfiguration("there is no estimator '" + name + "'; " + Nearest.hint(name, names)));
    }

    /** Every option that some estimator has, each once. */
    public static OptionGroup options() {
        return OptionGroup.union(
                "the estimators", ALL.stream().map(Estimator::options).toList());
    }

    /**
     * An estimator and its options: {@code jlde}, {@code jlde:k=10,states=0|-1}. Older ways to write some options are understood:
     * {@code jlde@0}, {@code jlde@0,-1} and {@code jlde@sum}.
     */
    public static EstimatorSpec parse(String text) {
        Parts parts = Parts.of(text);
        String search = parts.values.get(OLD_SEARCH);
        if (search != null) {
            throw new BadConfiguration(
                    "'" + text + "': there is no choice of a search any more, it is always exact; leave " + OLD_SEARCH
                            + "=" + search + " out");
        }
        return parse(parts);
    }

    /** What {@link EstimatorSpec#text} of this or an older version returned: choices that are gone are passed over. */
    public static EstimatorSpec parseStored(String text) {
        return parse(Parts.of(text).withoutOldChoices());
    }

    private static EstimatorSpec parse(Parts parts) {
        Estimator estimator = named(parts.name);
        return new EstimatorSpec(estimator, estimator.options().parse(parts.values));
    }

    /** What {@link EstimatorSpec#stored} of this or an older version returned: choices that are gone are passed over. */
    public static EstimatorSpec restore(String text) {
        Parts parts = Parts.of(text).withoutOldChoices();
        Estimator estimator = parts.name.equals(Surprise.NAME) ? SURPRISE : named(parts.name);
        return new EstimatorSpec(estimator, estimator.options().restore(parts.values));
    }

    /** The estimator for surprises of nodes without labels. */
    public static EstimatorSpec surprise() {
        return restore(Surprise.NAME);
    }

    /** Several, separated by commas; what looks like an option belongs to the estimator before it. */
    public static List<EstimatorSpec> parseAll(String text) {
        return split(text).stream().map(Estimators::parse).toList();
    }

    /** The texts of several estimators, separated by commas. */
    public static List<String> split(String text) {
        List<String> texts = new ArrayList<>();
        for (String part : text.split(",")) {
            boolean isOption = part.contains("=") && !part.contains(":");
            boolean isState = part.strip().matches("-?\\d+");
            if ((isOption || isState) && !texts.isEmpty()) {
                texts.set(texts.size() - 1, texts.get(texts.size() - 1) + "," + part.strip());
            } else {
                texts.add(part.strip());
            }
        }
        return texts;
    }

    /** Gives options to all estimators that have them, by name; refuses those that none has. */
    public static List<EstimatorSpec> with(List<EstimatorSpec> specs, Map<String, String> values) {
        List<EstimatorSpec> changed = new ArrayList<>(specs);
        values.forEach((name, value) -> {
            boolean isUsed = false;
            for (int i = 0; i < changed.size(); i++) {
                EstimatorSpec spec = changed.get(i);
                if (spec.options().group().find(name).isPresent()) {
                    Options options = spec.options().withText(name, value);
                    changed.set(i, new EstimatorSpec(spec.estimator(), options));
                    isUsed = true;
                }
            }
            if (!isUsed) {
                options().named(name);
            }
        });
        return List.copyOf(changed);
    }

    /** The name and the options of a text. */
    private record Parts(String name, Map<String, String> values) {

        /** Older versions could search for nearest training nodes exactly or by an approximate index; now the search is exact. */
        Parts withoutOldChoices() {
            Map<String, String> known = new LinkedHashMap<>(values);
            boolean wasChoice = name.startsWith("jlde") && OLD_SEARCHES.contains(known.getOrDefault(OLD_SEARCH, ""));
            if (wasChoice) {
                known.remove(OLD_SEARCH);
            }
            return new Parts(name, known);
        }

        static Parts of(String text) {
            int at = text.indexOf('@');
            if (at >= 0) {
                return old(text.substring(0, at), text.substring(at + 1));
            }
            int colon = text.indexOf(':');
            Map<String, String> values = new LinkedHashMap<>();
            if (colon < 0) {
                return new Parts(text.strip(), values);
            }
            for (String value : text.substring(colon + 1).split(",")) {
                int equals = value.indexOf('=');
                if (equals < 0) {
                    throw new BadConfiguration("expected NAME:OPTION=VALUE,OPTION=VALUE, got '" + text + "'");
                }
                values.put(
                        value.substring(0, equals).strip(),
                        value.substring(equals + 1).strip());
            }
            return new Parts(text.substring(0, colon).strip(), values);
        }

        private static Parts old(String name, String choice) {
            return new Parts(
                    name,
                    choice.equals("sum")
                            ? Map.of(JointStates.SEPARATE.name(), "true")
                            : Map.of(JointStates.STATES.name(), choice));
        }
    }
}
