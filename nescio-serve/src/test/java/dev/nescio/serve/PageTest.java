// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.Media;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every view: by keyboard, on a phone, in light and dark, with hostile ids, and when the service refuses. */
class PageTest extends PageInChromium {

    private static final List<String> VIEWS =
            List.of("overview", "nodes", "nodes/n17", "review", "map", "try", "detector");

    static Stream<String> views() {
        return VIEWS.stream();
    }

    @ParameterizedTest
    @MethodSource("views")
    void everyViewIsAccessibleInLightAndDark(String view) {
        visit(view);
        assertThat(page.locator("nav [aria-current=page]")).hasCount(1);
        assertAccessible();
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
        assertColoursDiffer();
        assertNoProblems();
    }

    @ParameterizedTest
    @MethodSource("views")
    void everyViewFitsAPhone(String view) {
        open(new Browser.NewContextOptions().setViewportSize(360, 740).setHasTouch(true));
        visit(view);
        assertFits();
        assertNoProblems();
    }

    /** Dialogs are tested by themselves: they cover the page. */
    @ParameterizedTest
    @ValueSource(strings = {"o", "n", "?"})
    void everyDialogIsAccessibleInLightAndDark(String key) {
        visit("review");
        if (!key.equals("o")) {
            page.evaluate("localStorage.setItem('nescio.who', 'Ana')");
        }
        page.keyboard().press(key);
        assertThat(page.locator("dialog h2")).isVisible();
        assertAccessible();
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
        assertColoursDiffer();
        page.keyboard().press("Escape");
        assertThat(page.locator("dialog")).hasCount(0);
        assertNoProblems();
    }

    @Test
    void theDialogForLabelsIsAccessible() {
        visit("review");
        page.evaluate("localStorage.setItem('nescio.who', 'Ana')");
        page.keyboard().press("l");
        assertThat(page.locator("dialog h2")).hasText("Label this node");
        assertAccessible();
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
        assertColoursDiffer();
        assertNoProblems();
    }

    /** A picture is there as soon as the words beside it are, not when an observer speaks. */
    @Test
    void picturesWaitForNoObserver() {
        context.addInitScript("window.ResizeObserver = class { observe() {} disconnect() {} };");
        visit("overview");
        assertThat(page.locator("svg.histogram")).hasCount(1);
        visit("nodes/n17");
        assertThat(page.locator("svg.ego")).hasCount(1);
        assertNoProblems();
    }

    /** What waits for an answer says so, also before its cards are there. */
    @Test
    void aNodeIsBusyUntilItIsThere() {
        List<Route> held = new CopyOnWriteArrayList<>();
        page.route("**/api/v1/nodes/n17", held::add);
        page.navigate(service + "#/nodes/n17");
        assertThat(page.locator("main [aria-busy=true]")).hasCount(1);
        page.unroute("**/api/v1/nodes/n17");
        held.forEach(Route::resume);
        assertThat(page.locator(".ego-node").first()).isVisible();
        assertThat(page.locator("[aria-busy=true]")).hasCount(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {".", ".."})
    void idsThatNoAddressCanHoldAreOpened(String id) {
        new Client(service)
                .ask(
                        "POST",
                        "/api/v1/score?keep=true",
                        Map.of(
                                "nodes",
                                List.of(Map.of("id", id, "features", Example.row(20))),
                                "edges",
                                List.of(List.of(id, "n17"))));
        visit("nodes?q=" + id + "&kept=true");
        page.locator("tbody a[title='" + id + "']").click();
        assertThat(page.locator("main h1 bdi")).hasText(id);
        assertThat(page.locator(".ego-node").first()).isVisible();
        assertThat(page.locator("section[aria-label='Neighbours']")).isVisible();
        assertNoProblems();
    }

    /** Another width draws the picture anew; who has chosen a node with the keyboard goes on from there. */
    @Test
    void theChosenNodeStaysChosenWhenTheWindowChanges() {
        visit("nodes/n17");
        page.locator(".ego-node[tabindex='0']").focus();
        page.keyboard().press("ArrowRight");
        page.keyboard().press("Enter");
        String chosen = page.locator(".ego-node.chosen").getAttribute("data-i");
        String width = page.locator("svg.ego").getAttribute("width");
        page.setViewportSize(900, 800);
        assertThat(page.locator("svg.ego")).not().hasAttribute("width", width);
        assertThat(page.locator(".ego-node.chosen")).hasAttribute("data-i", chosen);
        assertThat(page.locator(".ego-node.chosen")).isFocused();
        assertNoProblems();
    }

    @Test
    void theThemeCanBeSwitchedAndIsRemembered() {
        visit("overview");
        String light = (String) page.evaluate("getComputedStyle(document.body).backgroundColor");
        page.locator("#theme").click();
        page.locator("#theme").click();
        assertThat(page.locator("html")).hasAttribute("data-theme", "dark");
        page.reload();
        assertThat(page.locator("html")).hasAttribute("data-theme", "dark");
        assertThat((String) page.evaluate("getComputedStyle(document.body).backgroundColor"))
                .isNotEqualTo(light);
        assertNoProblems();
    }

    @Test
    void theThresholdMovesWithTheKeyboardAndCountsFollow() {
        visit("overview");
        Locator slider = page.getByRole(AriaRole.SLIDER);
        Locator flagged = page.locator(".figure.flagged dd").first();
        int before = Integer.parseInt(flagged.textContent().replace(",", ""));
        slider.focus();
        slider.press("End");
        int after = Integer.parseInt(flagged.textContent().replace(",", ""));
        assertThat(after).isLessThan(before);
        assertThat(slider.getAttribute("aria-valuetext")).contains("flagged");
        slider.press("Home");
        assertThat(Integer.parseInt(flagged.textContent().replace(",", ""))).isGreaterThan(after);
        assertNoProblems();
    }

    @Test
    void theThresholdIsDraggedAndTakenBack() {
        visit("overview");
        Locator flagged = page.locator(".figure.flagged dd").first();
        String before = flagged.textContent();
        var box = page.locator(".threshold .grip").boundingBox();
        var chart = page.locator("svg.histogram").boundingBox();
        page.mouse().move(box.x + box.width / 2, box.y + box.height / 2);
        page.mouse().down();
        page.mouse().move(chart.x + chart.width - 20, box.y + 20);
        page.mouse().up();
        assertThat(Integer.parseInt(flagged.textContent())).isLessThan(Integer.parseInt(before));
        assertThat(page.getByText("Not in use yet.")).isVisible();
        button("Back").click();
        assertThat(flagged).hasText(before);
        assertThat(page.getByText("This threshold is in use.")).isVisible();
        assertNoProblems();
    }

    @ParameterizedTest
    @MethodSource("views")
    void everyViewCanBePrinted(String view) {
        visit(view);
        page.emulateMedia(new Page.EmulateMediaOptions().setMedia(Media.PRINT).setColorScheme(ColorScheme.DARK));
        assertThat(page.locator("header.top")).isHidden();
        assertThat(page.locator("main h1")).isVisible();
        assertThat((String) page.evaluate("getComputedStyle(document.body).backgroundColor"))
                .isEqualTo("rgb(255, 255, 255)");
        assertColoursDiffer();
        assertThat(page.locator(".review-bar, .toolbar, .state .button")
                        .filter(new Locator.FilterOptions().setVisible(true)))
                .hasCount(0);
    }

    @Test
    void whatIsNotThereIsSaidWithAWayOut() {
        visit("nodes/nobody");
        assertThat(page.locator("[role=alert] h2")).hasText("There is no such node");
        page.getByText("To the nodes").click();
        assertThat(page.locator("tbody tr").first()).isVisible();
        page.navigate(service + "#/nothing");
        assertThat(page.locator("[role=alert] h2")).hasText("There is no such page");
    }

    @Test
    void nodesAreWalkedFilteredAndOpenedByKeyboard() {
        visit("nodes");
        page.keyboard().press("j");
        page.keyboard().press("j");
        page.keyboard().press("k");
        Locator focused = page.locator("tbody tr:first-child a");
        assertThat(focused).isFocused();
        String id = focused.getAttribute("title");
        page.keyboard().press("Enter");
        assertThat(page.locator("main h1")).containsText(id.substring(0, Math.min(20, id.length())));
        visit("nodes");
        button("Degree").click();
        assertThat(page.locator("th[aria-sort=descending]")).containsText("Degree");
        page.keyboard().press("/");
        page.keyboard().type("no such id");
        assertThat(page.getByText("No node matches")).isVisible();
        button("Remove the filters").click();
        assertThat(page.locator("tbody tr").first()).isVisible();
        assertNoProblems();
    }

    @Test
    void aNodeShowsItsEvidence() {
        visit("nodes/" + encoded(firstId()));
        assertThat(page.locator(".ego-node").first()).isVisible();
        for (String card : List.of(
                "Scores", "Layers", "Unusual features", "Compared training nodes", "Neighbours", "Neighbourhood")) {
            assertThat(page.getByRole(
                            AriaRole.REGION,
                            new Page.GetByRoleOptions().setName(card).setExact(true)))
                    .isVisible();
        }
        button("2 hops").click();
        assertThat(button("2 hops")).hasAttribute("aria-pressed", "true");
        assertThat(page.locator(".chosen-node")).containsText("Choose a node");
        page.locator(".ego-node[tabindex='0']").focus();
        page.keyboard().press("Enter");
        assertThat(page.locator(".chosen-node")).containsText("epistemic");
        button("1 hop").click();
        assertThat(page.locator(".chosen-node")).containsText("Choose a node");
        int drawn = page.locator(".ego-node").count();
        page.locator(".ego-node:not(.centre)").first().dispatchEvent("click");
        button("Show its neighbours").click();
        assertThat(page.locator(".toast")).containsText("added");
        assertThat(page.locator(".ego-node").count()).isGreaterThan(drawn);
        assertAccessible();
        assertNoProblems();
    }

    static Stream<String> hostileIds() {
        return Example.AWKWARD.stream();
    }

    @ParameterizedTest
    @MethodSource("hostileIds")
    void hostileIdsStayText(String id) {
        open(new Browser.NewContextOptions().setViewportSize(360, 740));
        visit("nodes/" + encoded(id));
        assertThat(page.locator("main h1 bdi")).hasText(id);
        assertThat(page.locator(".ego-node").first()).isVisible();
        assertThat(page.locator("main img, main script")).hasCount(0);
        assertFits();
        visit("nodes?q=" + encoded(id.substring(0, Math.min(60, id.length()))));
        assertThat(page.locator("tbody a").first()).isVisible();
        assertThat(page.locator("main img, main script")).hasCount(0);
        assertFits();
        assertNoProblems();
    }

    @Test
    void theMapZoomsAndItsListFollows() {
        visit("map");
        Locator title = page.locator(".map-side h2");
        assertThat(title).containsText("in view");
        String all = title.textContent();
        page.locator("canvas").focus();
        for (int i = 0; i < 6; i++) {
            page.keyboard().press("+");
        }
        assertThat(title).not().hasText(all);
        page.keyboard().press("0");
        assertThat(title).hasText(all);
        button("Select").click();
        var box = page.locator("canvas").boundingBox();
        page.mouse().move(box.x + 20, box.y + 20);
        page.mouse().down();
        page.mouse().move(box.x + box.width - 60, box.y + box.height - 20);
        page.mouse().up();
        assertThat(title).containsText("selected");
        assertNoProblems();
    }

    @ParameterizedTest
    @ValueSource(ints = {413, 422, 429, 500, 507})
    void refusalsAreExplained(int status) {
        visit("overview");
        refuseTheMap(status);
        page.keyboard().press("g");
        page.keyboard().press("m");
        assertThat(page.locator("[role=alert]")).containsText("A <b>sentence</b>.");
        page.unroute("**/api/v1/map*");
        button("Try again").click();
        assertThat(page.locator("canvas")).isVisible();
    }

    @Test
    void aServiceThatLoadsIsWaitedFor() {
        visit("overview");
        refuseTheMap(503);
        page.keyboard().press("g");
        page.keyboard().press("m");
        assertThat(page.getByText("The service is starting or stopping.").first())
                .isVisible();
        page.unroute("**/api/v1/map*");
        assertThat(page.locator("canvas")).isVisible();
    }

    private void refuseTheMap(int status) {
        page.route(
                "**/api/v1/map*",
                route -> route.fulfill(new Route.FulfillOptions()
                        .setStatus(status)
                        .setHeaders(Map.of("Retry-After", "0", "Content-Type", "application/json"))
                        .setBody("{\"error\":{\"status\":" + status + ",\"message\":\"A <b>sentence</b>.\"}}")));
    }

    @Test
    void aTokenIsAskedForAndUsed() {
        page.route("**/api/v1/overview", route -> {
            if ("Bearer secret".equals(route.request().headers().get("authorization"))) {
                route.resume();
            } else {
                route.fulfill(new Route.FulfillOptions().setStatus(401).setBody("{}"));
            }
        });
        page.navigate(service.toString());
        assertThat(page.locator("dialog h2")).hasText("This service needs a token");
        page.keyboard().type("secret");
        page.keyboard().press("Enter");
        assertThat(page.locator(".figure").first()).isVisible();
    }

    @Test
    void lostNetworkIsSaidAndTheWayBackWorks() {
        visit("overview");
        context.setOffline(true);
        page.locator("nav a[data-view=nodes]").click();
        assertThat(page.locator("#strip")).containsText("no network");
        context.setOffline(false);
        page.reload();
        assertThat(page.locator("tbody tr").first()).isVisible();
    }
}
