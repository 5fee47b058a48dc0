// SPDX-License-Identifier: Apache-2.0
package dev.nescio.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.nescio.random.Rng;
import dev.nescio.random.Seed;
import dev.nescio.testing.FiniteDifferences;
import dev.nescio.testing.FiniteDifferences.Input;
import dev.nescio.testing.RandomGraphs;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProductsTest {

    @ParameterizedTest
    @CsvSource({"7, 4, 4", "7, 4, 3", "1, 3, 2", "2, 128, 2"})
    void gradientsAgreeWithFiniteDifferences(int rows, int inner, int columns) {
        Rng rng = new Rng(rows);
        Input a = Input.random(rng, rows, inner);
        Input b = Input.random(rng, inner, columns);

        FiniteDifferences.check(in -> Products.inBlocks(List.of(in[0]), in[1], null, null, false, null), a, b);
        FiniteDifferences.check(
                in -> Products.inBlocks(List.of(in[0]), in[1], in[2], null, false, null),
                a,
                b,
                Input.random(rng, columns));
        // Inputs that are no leaves, and one that is used twice.
        FiniteDifferences.check(
                in -> Products.inBlocks(List.of(in[0].times(in[0])), in[1].gelu(), in[2].times(2), null, false, null)
                        .plus(in[2]),
                a,
                b,
                Input.random(rng, columns));
    }

    @Test
    void aWeightThatIsUsedTwiceGetsBothGradients() {
        Rng rng = new Rng(3);
        FiniteDifferences.check(
                in -> Products.inBlocks(
                        List.of(Products.inBlocks(List.of(in[0]), in[1], null, null, false, null)
                                .gelu()),
                        in[1],
                        null,
                        null,
                        false,
                        null),
                Input.random(rng, 6, 3),
                Input.random(rng, 3, 3));
    }

    /** Large enough to be cut into blocks: the same bytes whatever the number of cores, and what libtorch says. */
    @Test
    void blocksDependOnTheShapeAlone() {
        int before = Engine.threads();
        try {
            float[][] one = products(1);
            float[][] three = products(3);
            float[][] plain = plain();
            for (int i = 0; i < one.length; i++) {
                assertThat(Arrays.equals(three[i], one[i])).isTrue();
                for (int j = 0; j < one[i].length; j += 97) {
                    assertThat(one[i][j]).isCloseTo(plain[i][j], within(1e-3f * (1 + Math.abs(plain[i][j]))));
                }
            }
        } finally {
            Engine.useThreads(before);
        }
    }

    private static float[][] products(int threads) {
        Engine.useThreads(threads);
        return gradients(Products::of);
    }

    private static float[][] plain() {
        return gradients((a, b, bias) -> Tensor.of(torch.addmm(bias.raw(), a.raw(), b.raw())));
    }

    private interface Product {
        Tensor of(Tensor a, Tensor b, Tensor bias);
    }

    private static float[][] gradients(Product product) {
        return Scope.run(() -> {
            Tensor a = Tensor.of(RandomGraphs.dense(9000, 40, 1)).requireGradient();
            Tensor b = Tensor.of(RandomGraphs.dense(40, 40, 2)).requireGradient();
            Tensor bias = Tensor.of(RandomGraphs.dense(1, 40, 3))
                    .reshape(40)
                    .detached()
                    .requireGradient();
            Tensor result = product.of(a, b, bias);
            Tensor loss = result.times(result).sum();
            float[] values = result.toFloats();
            loss.backward();
            return new float[][] {
                values,
                a.gradient().toFloats(),
                b.gradient().toFloats(),
                bias.gradient().toFloats()
            };
        });
    }

    /** Values, then gradients of all three inputs, beside the same steps one by one; rows longer than one piece of work, too. */
    @ParameterizedTest
    @CsvSource({
        "3000, 64, 64, true",
        "3000, 64, 64, false",
        "2500, 300, 20, true",
        "40, 30, 9000, true",
        "40, 30, 9000, false",
        "1500, 600, 600, true"
    })
    void whatFollowsAProductEqualsItsSteps(int rows, int inner, int columns, boolean isGelu) {
        float[][] fused = behindProduct(
                rows,
                inner,
                columns,
                (a, b, bias, dropout) -> Products.inBlocks(List.of(a), b, bias, dropout.nextMask(), isGelu, null));
        float[][] steps = behindProduct(rows, inner, columns, (a, b, bias, dropout) -> {
            Tensor dropped = dropout.apply(Tensor.of(torch.addmm(bias.raw(), a.raw(), b.raw())));
            return isGelu ? dropped.gelu() : dropped;
        });
        for (int i = 0; i < fused.length; i++) {
            double scale = 1;
            double worst = 0;
            for (int j = 0; j < fused[i].length; j++) {
                scale = Math.max(scale, Math.abs(steps[i][j]));
                worst = Math.max(worst, Math.abs(fused[i][j] - steps[i][j]));
            }
            assertThat(worst).as("values (0) or gradient of input %d", i).isLessThan(1e-5 * scale);
        }
    }

    /** What is added to a product, with gradients and without. */
    @ParameterizedTest
    @CsvSource({"3000, 64, 64", "40, 30, 9000", "5, 3, 2"})
    void whatIsAddedToAProduct(int rows, int inner, int columns) {
        Scope.run(() -> {
            List<Tensor> a = List.of(Tensor.of(RandomGraphs.dense(rows, inner, 1)));
            Tensor b = Tensor.of(RandomGraphs.dense(inner, columns, 2));
            Tensor bias = Tensor.of(RandomGraphs.dense(1, columns, 3).values(), columns);
            Tensor plus = Tensor.of(RandomGraphs.dense(rows, columns, 4));
            float[] sum = Tensor.product(a, b, bias, Dropout.OFF, plus).toFloats();
            float[] parts =
                    Tensor.product(a, b, bias, Dropout.OFF, null).plus(plus).toFloats();
            assertThat(sum).isEqualTo(parts);
            Tensor wanted = plus.copy().requireGradient();
            Tensor.product(a, b.requireGradient(), bias, Dropout.OFF, wanted)
                    .sum()
                    .backward();
            assertThat(wanted.gradient().toFloats()).containsOnly(1);
            return true;
        });
    }

    private interface BehindProduct {
        Tensor of(Tensor a, Tensor b, Tensor bias, Dropout dropout);
    }

    private static float[][] behindProduct(int rows, int inner, int columns, BehindProduct operator) {
        return Scope.run(() -> {
            Tensor a = Tensor.of(RandomGraphs.dense(rows, inner, 1)).requireGradient();
            Tensor b = Tensor.of(RandomGraphs.dense(inner, columns, 2)).requireGradient();
            Tensor bias = Tensor.of(RandomGraphs.dense(1, columns, 3).values(), columns)
                    .requireGradient();
            Tensor result = operator.of(a, b, bias, new Dropout(0.3, new Seed(5)));
            float[] values = result.toFloats();
            result.times(Tensor.of(RandomGraphs.dense(rows, columns, 4))).sum().backward();
            return new float[][] {
                values,
                a.gradient().toFloats(),
                b.gradient().toFloats(),
                bias.gradient().toFloats()
            };
        });
    }

    @Test
    void halfOfAGramMatrixIsEnough() {
        Scope.run(() -> {
            Tensor x = Tensor.of(RandomGraphs.dense(5000, 6, 4));
            float[] half = x.lowerGram().toFloats();
            float[] whole = x.transposed().product(x).toFloats();
            for (int i = 0; i < 6; i++) {
                for (int j = 0; j < 6; j++) {
                    assertThat(half[6 * i + j]).isCloseTo(j <= i ? whole[6 * i + j] : 0, within(0.1f));
                }
            }
        });
    }
}
