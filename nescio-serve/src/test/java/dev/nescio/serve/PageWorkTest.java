// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.FilePayload;
import com.microsoft.playwright.options.RequestOptions;
import dev.nescio.io.detector.DetectorFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** What people do on the page: review by keyboard, score and keep rows, load a detector. */
class PageWorkTest extends PageInChromium {

    @Test
    void reviewIsDrivenByTheKeyboardAlone() {
        visit("review");
        Locator title = page.locator(".node-title h2");
        String first = title.textContent();
        page.keyboard().press("o");
        assertThat(page.locator("dialog h2")).hasText("Who decides?");
        page.keyboard().type("Ana <b>");
        page.keyboard().press("Enter");
        assertThat(state()).containsText("Saved");
        assertThat(title).not().hasText(first);

        String second = title.textContent();
        page.keyboard().press("s");
        assertThat(title).not().hasText(second);
        page.keyboard().press("u");
        assertThat(state()).containsText("Undone");
        assertThat(title).hasText(second);
        page.keyboard().press("r");
        assertThat(state()).containsText("Redone");
        page.keyboard().press("u");
        assertThat(state()).containsText("Undone");
        assertThat(title).hasText(second);
        assertThat(page.locator("[aria-busy=true]")).hasCount(0);

        page.keyboard().press("n");
        page.keyboard().type("looks like <i>two</i> accounts");
        page.keyboard().press("Control+Enter");
        assertThat(state()).containsText("with a note");
        assertThat(title).hasText(second);
        page.keyboard().press("l");
        page.keyboard().type("smuggler");
        page.keyboard().press("Enter");
        assertThat(state()).containsText("label smuggler");
        assertThat(title).not().hasText(second);

        String third = title.textContent();
        page.keyboard().press("j");
        assertThat(title).not().hasText(third);
        page.keyboard().press("k");
        assertThat(title).hasText(third);
        page.keyboard().press("h");
        assertThat(page.locator(".history tbody tr").first()).isVisible();
        page.keyboard().press("?");
        assertThat(page.locator("dialog h2")).hasText("Keyboard shortcuts");
        page.keyboard().press("Escape");
        assertAccessible();

        page.reload();
        assertThat(title).hasText(third);
        assertThat(page.locator(".progress")).containsText("2 of");
        assertThat(page.request()
                        .get(service.resolve("api/v1/review/labels.csv").toString())
                        .text())
                .contains("smuggler");
        page.keyboard().press("u");
        assertThat(state()).containsText("Undone");
        assertNoProblems();
    }

    @Test
    void somebodyElsesDecisionIsNotOverwrittenSilently() {
        visit("review");
        page.evaluate("localStorage.setItem('nescio.who', 'Ana')");
        String id = page.locator(".queue [aria-current] .id").getAttribute("title");
        page.request()
                .put(
                        service.resolve("api/v1/review/" + encoded(id)).toString(),
                        RequestOptions.create().setData(Map.of("verdict", "strange", "by", "Ben")));
        page.keyboard().press("o");
        assertThat(page.locator("dialog")).containsText("Ben decided");
        button("Keep theirs").click();
        assertThat(state()).containsText("kept");
    }

    /** Where nothing can be flagged, the page does not say that a threshold is in use. */
    @Test
    void withoutAThresholdNothingIsFlagged() {
        decide(0.0001);
        visit("overview");
        assertThat(page.locator(".figure.flagged dd").first()).hasText("0");
        assertThat(page.getByText("Not in use: nothing is flagged now.")).isVisible();
        assertThat(page.getByText("Nothing can be flagged at alpha 0.0100 %")).isVisible();
        button("Use this threshold").click();
        assertThat(page.getByText("This threshold is in use.")).isVisible();
        page.locator("#allow").fill("1");
        button("Find").click();
        assertThat(page.locator("#allow-note")).containsText("Nothing can be flagged");
        decide(0.05);
    }

    private void decide(double alpha) {
        page.request()
                .put(
                        service.resolve("api/v1/decision").toString(),
                        RequestOptions.create().setData(Map.of("alpha", alpha)));
    }

    /** What others have decided since stays, and the page says that it was left out. */
    @Test
    void undoSaysWhatItLeavesOut() {
        visit("review");
        page.evaluate("localStorage.setItem('nescio.who', 'Carla')");
        Locator title = page.locator(".node-title h2");
        String first = title.textContent();
        page.keyboard().press("o");
        assertThat(title).not().hasText(first);
        String id = page.locator(".queue [aria-current] .id").getAttribute("title");
        String second = title.textContent();
        page.keyboard().press("o");
        assertThat(title).not().hasText(second);
        page.request()
                .put(
                        service.resolve("api/v1/review/" + encoded(id)).toString(),
                        RequestOptions.create().setData(Map.of("verdict", "strange", "by", "Ben")));
        page.keyboard().press("u");
        assertThat(state()).containsText("Undone");
        assertThat(state()).containsText("Somebody else has decided about node");
        assertThat(title).hasText(first);
        page.request()
                .delete(service.resolve("api/v1/review/" + encoded(id) + "?by=Ben")
                        .toString());
        assertNoProblems();
    }

    @Test
    void rowsAreScoredAtOnceAndKept() {
        visit("try");
        button("Use an example").click();
        assertThat(page.locator("tbody tr")).hasCount(2);
        String rows = page.locator("textarea").first().inputValue();
        String id = "<b>new</b> / " + System.nanoTime();
        String pairs = page.locator("textarea").nth(1).inputValue();
        button("Clear").click();
        page.locator("input[type=file]").nth(1).setInputFiles(file("edges.csv", pairs.replace("new-1", id)));
        page.locator("input[type=file]").first().setInputFiles(file("nodes.csv", rows.replace("new-1", id)));
        assertThat(page.locator("tbody td.col-id").filter(new Locator.FilterOptions().setHasText(id)))
                .hasCount(1);
        button("Keep them in the graph").click();
        assertThat(page.getByText(Pattern.compile("kept as batch \\d+")).first())
                .isVisible();
        assertAccessible();
        page.locator("tbody a")
                .filter(new Locator.FilterOptions().setHasText(id))
                .click();
        assertThat(page.locator("main h1")).containsText(id);
        assertNoProblems();
    }

    /** Batches that were kept are points of a line, and their nodes can be listed. */
    @Test
    void keptBatchesAreALineAndTheirNodesAList() {
        for (int batch = 0; batch < 2; batch++) {
            List<Map<String, Object>> nodes = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                nodes.add(Map.of("id", "drift-" + batch + "-" + i, "features", Example.row(30 + i)));
            }
            page.request()
                    .post(
                            service.resolve("api/v1/score?keep=true").toString(),
                            RequestOptions.create().setData(Map.of("nodes", nodes)));
        }
        visit("overview");
        Locator drift = page.getByLabel("Drift of kept batches");
        assertThat(drift.locator("svg.drift g.axis text").last()).isVisible();
        assertThat(drift.locator("svg.drift path[transform]").nth(1)).isVisible();
        drift.getByText("Batches as a table").click();
        assertThat(drift.locator("tbody tr").first()).containsText("30");
        assertAccessible();
        visit("nodes?kept=true");
        assertThat(page.locator("#filter-kept")).hasValue("true");
        assertThat(page.locator(".pager")).not().containsText("of 4");
        assertThat(page.locator("tbody .tag", new Page.LocatorOptions().setHasText("kept"))
                        .count())
                .isEqualTo(page.locator("tbody tr").count());
        assertNoProblems();
    }

    /** The line is drawn anew when the service has looked at what was pending. */
    @Test
    void driftThatIsStillLookedForIsShownWhenItIsKnown() {
        AtomicInteger left = new AtomicInteger(1);
        page.route("**/api/v1/overview", route -> {
            ObjectNode answer = (ObjectNode) Client.JSON.readTree(route.fetch().body());
            int pending = left.get();
            answer.put("driftPending", pending);
            ObjectNode row = Client.JSON.createObjectNode();
            row.put("batch", 1).put("at", "2026-01-01T00:00:00Z").put("nodes", 30);
            if (pending > 0) {
                row.putNull("pValue");
            } else {
                row.put("pValue", 0.5);
            }
            row.put("drifted", false).put("tooFew", false).put("pending", pending > 0);
            row.putArray("causes");
            answer.putArray("drift").add(row);
            route.fulfill(new Route.FulfillOptions()
                    .setContentType("application/json")
                    .setBody(answer.toString()));
        });
        visit("overview");
        Locator drift = page.getByLabel("Drift of kept batches");
        assertThat(drift).containsText("1 batch still being looked at.");
        assertThat(drift.locator("svg.drift path.few")).hasCount(1);
        left.set(0);
        assertThat(drift.locator("svg.drift path.fine")).hasCount(1);
        assertThat(drift).containsText("No batch has drifted.");
        assertNoProblems();
    }

    /** Excel saves like this in many countries. */
    @Test
    void semicolonsAreTakenAndOtherLettersThanUtf8AreRefused() {
        visit("try");
        page.locator("textarea").first().fill("id;f0;f1\nsemicolon;1;2\n");
        assertThat(page.getByText("1 row, 3 columns.")).isVisible();
        button("Score").click();
        assertThat(page.locator("tbody td.col-id")).hasText("semicolon");
        button("Clear").click();
        page.locator("input[type=file]")
                .first()
                .setInputFiles(new FilePayload(
                        "latin.csv", "text/csv", "id,f0\ncaf\u00e9,1\n".getBytes(StandardCharsets.ISO_8859_1)));
        assertThat(page.getByText("latin.csv is not text in UTF-8: save it as “CSV UTF-8” first."))
                .isVisible();
        assertThat(page.locator("tbody tr")).hasCount(0);
        assertNoProblems();
    }

    @Test
    void theCommandNamesTheColumnOfLabels() {
        visit("detector");
        assertThat(page.locator("pre code"))
                .hasText(
                        "nescio train nodes.csv --edges edges.csv --label label --labels labels.csv --out better.nescio");
    }

    /** What no training node has deviates by no number of deviations. */
    @Test
    void whatNobodyHasIsNotAMillionDeviationsAway() {
        String id = firstId();
        page.route("**/explanation", route -> {
            ObjectNode answer = (ObjectNode) Client.JSON.readTree(route.fetch().body());
            ((ObjectNode) answer.get("unusual").get(0)).put("deviations", 1e6);
            route.fulfill(new Route.FulfillOptions()
                    .setContentType("application/json")
                    .setBody(answer.toString()));
        });
        visit("nodes/" + encoded(id));
        assertThat(page.getByLabel("Unusual features").locator("tbody tr").first())
                .containsText("> +99");
        assertNoProblems();
    }

    @Test
    void badRowsAreRefusedInWords() {
        visit("try");
        page.locator("textarea").first().fill("no-such-column\nx");
        button("Score").click();
        assertThat(page.locator("[role=alert] h2")).hasText("The service refused this");
        assertThat(page.locator("[role=alert] p").first()).containsText(Pattern.compile("\\S"));
    }

    @Test
    void aBadDetectorIsRefusedAndTheOldOneStays() {
        visit("detector");
        page.locator("#detector-file").setInputFiles(file("bad.nescio", "not a detector"));
        button("Load it").click();
        assertThat(page.locator("[role=alert] h2")).hasText("The service refused this");
        visit("overview");
        assertThat(page.locator(".figure").first()).isVisible();
    }

    @Test
    void anotherDetectorIsLoadedAndWhatChangedIsShown() throws IOException {
        Path folder = Files.createTempDirectory("nescio-page");
        Path file = folder.resolve("better & newer.nescio");
        try {
            DetectorFile.write(Example.train(5), file);
            visit("detector");
            page.locator("#detector-file").setInputFiles(file);
            button("Load it").click();
            assertThat(page.getByText("The new detector is in use.").first()).isVisible();
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(folder);
        }
        Locator sides = page.getByLabel("Before and after");
        assertThat(sides.locator("tbody tr").first()).containsText("example");
        assertThat(sides.locator("tbody tr").first()).containsText("better & newer");
        assertThat(sides).containsText("res-gcn");
        assertThat(sides.getByText("–", new Locator.GetByTextOptions().setExact(true)))
                .hasCount(0);
        assertThat(page.getByLabel("Detector in use")).containsText("better & newer");
        assertThat(page.locator("section[aria-label='Largest changes'] tbody tr")
                        .first())
                .isVisible();
        assertAccessible();
        assertNoProblems();
    }

    private static FilePayload file(String name, String content) {
        return new FilePayload(name, "text/csv", content.getBytes(StandardCharsets.UTF_8));
    }
}
