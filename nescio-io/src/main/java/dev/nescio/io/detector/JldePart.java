package dev.nescio.io.detector;

import dev.nescio.uncertainty.density.Bandwidth;
import dev.nescio.uncertainty.density.Keep;
import dev.nescio.uncertainty.density.Scaling;
import dev.nescio.uncertainty.estimator.JldeOptions;
import java.util.List;

/** The options of the JLDE family in a manifest, with their variants as text. */
public record JldePart(
        List<Integer> states,
        int k,
        String keep,
        JldeOptions.Reduction reduction,
        Scaling scaling,
        boolean energyNormalised,
        boolean separate,
        String bandwidth,
        boolean equalPriors,
        boolean features,
        JldeOptions.Search search) {

    static JldePart of(JldeOptions jlde) {
        return new JldePart(
                jlde.states(),
                jlde.k(),
                jlde.keep().text(),
                jlde.reduction(),
                jlde.scaling(),
                jlde.energyNormalised(),
                jlde.separate(),
                jlde.bandwidth().text(),
                jlde.equalPriors(),
                jlde.features(),
                jlde.search());
    }

    JldeOptions options() {
        return new JldeOptions(
                states,
                k,
                Keep.parse(keep),
                reduction,
                scaling,
                energyNormalised,
                separate,
                Bandwidth.parse(bandwidth),
                equalPriors,
                features,
                search);
    }
}
