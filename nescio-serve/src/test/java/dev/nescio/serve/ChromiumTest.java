// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Where somebody names a browser, the page is tested in it or the tests fail. */
class ChromiumTest {

    @Test
    void aBrowserThatIsNamedMustBeThere() {
        assertThatThrownBy(() -> PageInChromium.chromium("/no/such/chromium"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("NESCIO_CHROMIUM");
    }
}
