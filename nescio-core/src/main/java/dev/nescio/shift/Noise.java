// SPDX-License-Identifier: Apache-2.0
package dev.nescio.shift;

/** The features of a tenth of the nodes are replaced by noise after training. */
record Noise(FeatureNoise.Kind kind, String name, String meaning) implements Shift {

    private static final double SHARE = 0.1;

    @Override
    public Shifted apply(Setting setting) {
        FeatureNoise.Noisy noisy = new FeatureNoise(kind, SHARE, setting.seed())
                .apply(setting.raw(), setting.preprocessing(), setting.split());
        return new Shifted(noisy.prepared(), setting.split().test().filter(noisy.nodes()::contains));
    }

    @Override
    public String toString() {
        return name;
    }
}
