// SPDX-License-Identifier: Apache-2.0
package dev.nescio.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PageTest {

    /** A node of this name changed the script behind its hash, so that the page forbade its own script. */
    @Test
    void namesThatLookLikePlacesOfTheTemplateStayNames() throws Exception {
        String name = "{{policy}} {{body}} {{data}} {{echarts}}";
        String page = Page.render(Map.of("name", name));
        assertThat(page).contains(name);
        Matcher scripts =
                Pattern.compile("<script>(.*?)</script>", Pattern.DOTALL).matcher(page);
        int count = 0;
        while (scripts.find()) {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(scripts.group(1).getBytes(StandardCharsets.UTF_8));
            assertThat(page).contains("'sha256-" + Base64.getEncoder().encodeToString(hash) + "'");
            count++;
        }
        assertThat(count).isPositive();
        assertThat(Page.study(new Markup().put("p", name))).contains("<p>" + name + "</p>");
    }
}
