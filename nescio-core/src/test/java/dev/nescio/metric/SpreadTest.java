// SPDX-License-Identifier: Apache-2.0
package dev.nescio.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class SpreadTest {

    @Test
    void byHand() {
        Spread spread = Spread.of(DoubleStream.of(1, 2, 6));

        assertThat(spread.mean()).isEqualTo(3);
        assertThat(spread.std()).isCloseTo(Math.sqrt(7), within(1e-12));
        assertThat(spread.runs()).isEqualTo(3);
    }

    @Test
    void oneRunHasNoSpreadAndNoneHasNoMean() {
        assertThat(Spread.of(DoubleStream.of(4))).isEqualTo(new Spread(4, 0, 1));
        assertThat(Spread.of(DoubleStream.of()).mean()).isNaN();
    }
}
