// SPDX-License-Identifier: Apache-2.0
package dev.nescio.information;

import java.util.ArrayList;
import java.util.List;

/**
 * Where the information about a label is, comes from and goes, layer by layer, in bits.
 *
 * @param label H(Y)
 * @param perLayer I(Y; Z_i)
 * @param joint I(Y; Z_0, ..., Z_L)
 * @param perShells I(Y; G_0, ..., G_i)
 * @param perShell I(Y; G_i)
 * @param steps what happens from layer to layer
 */
public record Accounting(
        double label,
        List<Double> perLayer,
        double joint,
        List<Double> perShells,
        List<Double> perShell,
        List<Step> steps) {

    /**
     * From layer i to layer i + 1.
     *
     * @param loss I(Y; G_0..G_i | Z_(i+1)) - I(Y; G_0..G_i | Z_i); negative where lost information comes back
     * @param gain I(Y; G_(i+1) | G_0..G_i) - I(Y; G_(i+1) | G_0..G_i, Z_(i+1))
     * @param offered I(Y; G_(i+1) | G_0..G_i): the most that there is to gain
     * @param homophily I(G_(i+1); G_0..G_i) - I(G_(i+1); G_0..G_i | Y): what the new shell says again; negative where shells
     *     say more together than each by itself
     */
    public record Step(double loss, double gain, double offered, double homophily) {}

    /** The account of a model, computed exactly from its joint distribution. */
    public static Accounting of(FiniteModel model) {
        Joint joint = model.joint();
        List<Double> perLayer = new ArrayList<>();
        List<Double> perShells = new ArrayList<>();
        List<Double> perShell = new ArrayList<>();
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i <= model.layers(); i++) {
            perLayer.add(joint.information(model.label(), model.representation(i)));
            perShells.add(joint.information(model.label(), model.shells(i)));
            perShell.add(joint.information(model.label(), model.shell(i)));
            if (i < model.layers()) {
                steps.add(step(model, i));
            }
        }
        return new Accounting(
                joint.entropy(model.label()),
                perLayer,
                joint.information(model.label(), model.representations()),
                perShells,
                perShell,
                steps);
    }

    private static Step step(FiniteModel model, int i) {
        Joint joint = model.joint();
        int[] y = model.label();
        int[] seen = model.shells(i);
        int[] next = model.shell(i + 1);
        double offered = joint.information(y, next, seen);
        return new Step(
                joint.information(y, seen, model.representation(i + 1))
                        - joint.information(y, seen, model.representation(i)),
                offered - joint.information(y, next, Joint.joined(seen, model.representation(i + 1))),
                offered,
                joint.information(next, seen) - joint.information(next, seen, y));
    }

    /**
     * How far the statements of the theory are from holding, each 0 up to rounding; {@code markov} must be 0 for the others
     * to be true.
     *
     * @param markov the largest I(Y; Z_i | G_0..G_i): what representations know that their shells do not
     * @param equality the largest error of I(Y; Z_(i+1)) = I(Y; Z_i) - loss + gain
     * @param lossBound the largest excess of -loss over I(Y; G_0..G_i) - I(Y; Z_i)
     * @param gainBound the largest excess of the gain over its bounds, 0 and what was offered
     * @param homophily the largest error of I(Y; G_(i+1) | G_0..G_i) = I(Y; G_(i+1)) - homophily
     */
    public record Check(double markov, double equality, double lossBound, double gainBound, double homophily) {

        /** The largest of the five errors; 0 up to rounding where the theory holds. */
        public double worst() {
            return Math.max(Math.max(markov, equality), Math.max(Math.max(lossBound, gainBound), homophily));
        }
    }

    /** Compares this account with the statements of the theory, on the model that it was made from. */
    public Check check(FiniteModel model) {
        double markov = 0;
        double equality = 0;
        double lossBound = 0;
        double gainBound = 0;
        double again = 0;
        for (int i = 0; i <= model.layers(); i++) {
            markov = Math.max(
                    markov, model.joint().information(model.label(), model.representation(i), model.shells(i)));
        }
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            equality = Math.max(equality, Math.abs(perLayer.get(i + 1) - (perLayer.get(i) - step.loss + step.gain)));
            lossBound = Math.max(lossBound, -step.loss - (perShells.get(i) - perLayer.get(i)));
            gainBound = Math.max(gainBound, Math.max(-step.gain, step.gain - step.offered));
            again = Math.max(again, Math.abs(step.offered - (perShell.get(i + 1) - step.homophily)));
        }
        return new Check(markov, equality, lossBound, gainBound, again);
    }
}
