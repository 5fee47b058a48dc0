// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ReducedMotion;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** The page of a running service in a real Chromium; skipped where there is none. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PageInChromium {

    private static final List<String> BROWSERS =
            List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");

    Playwright playwright;
    Browser browser;

    Service running;
    URI service;
    BrowserContext context;
    Page page;
    final List<String> problems = new CopyOnWriteArrayList<>();

    @BeforeAll
    void start() {
        Path chromium = chromium(System.getenv("NESCIO_CHROMIUM"));
        assumeTrue(chromium != null, "no Chromium at " + BROWSERS + ": the page is not tested");
        running = service();
        service = running.address();
        // On a machine that does other things, too, a page may take its time.
        PlaywrightAssertions.setDefaultAssertionTimeout(20_000);
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(chromium)
                        .setArgs(List.of("--no-sandbox")));
    }

    /** The one that is named, which must be there, or one of those that systems install; null where there is none. */
    static Path chromium(String named) {
        if (named != null && !named.isBlank()) {
            assertThat(Path.of(named)).as("NESCIO_CHROMIUM").isExecutable();
            return Path.of(named);
        }
        return BROWSERS.stream()
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    /** The service whose page is opened. */
    Service service() {
        return Example.start(Example.options());
    }

    @AfterAll
    void stop() {
        if (playwright != null) {
            playwright.close();
        }
        if (running != null) {
            running.close();
        }
    }

    @BeforeEach
    void open() {
        open(new Browser.NewContextOptions().setViewportSize(1280, 900));
    }

    void open(Browser.NewContextOptions options) {
        if (context != null) {
            context.close();
        }
        problems.clear();
        context = browser.newContext(options.setReducedMotion(ReducedMotion.REDUCE));
        page = context.newPage();
        page.onConsoleMessage(message -> {
            // A service that is busy is asked again, on slow machines too.
            boolean isBusy = message.text().contains("status of 429");
            if ((message.type().equals("error") || message.type().equals("warning")) && !isBusy) {
                problems.add(message.text());
            }
        });
        page.onPageError(problems::add);
        page.onDialog(dialog -> {
            problems.add("a dialog was opened: " + dialog.message());
            dialog.dismiss();
        });
        page.onRequest(request -> {
            String address = request.url();
            if (!address.startsWith(service.toString())
                    && !address.startsWith("data:")
                    && !address.startsWith("blob:")) {
                problems.add("a request to another host: " + address);
            }
        });
    }

    @AfterEach
    void close() {
        if (context != null) {
            context.close();
            context = null;
        }
    }

    /** Opens a view and waits until it has loaded; what the view before has drawn does not count. */
    void visit(String route) {
        String before = page.url();
        page.evaluate("document.querySelector('main > *')?.setAttribute('data-before', '')");
        page.navigate(service + "#/" + route);
        if (!page.url().equals(before)) {
            assertThat(page.locator("[data-before]")).hasCount(0);
        }
        assertThat(page.locator("main h1")).isVisible();
        assertThat(page.locator("[aria-busy=true]")).hasCount(0);
    }

    void assertNoProblems() {
        assertThat(problems).isEmpty();
    }

    void assertFits() {
        assertThat((Boolean) page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
                .as("no sideways scrolling")
                .isTrue();
    }

    void assertAccessible() {
        assertNothingSerious(new AxeBuilder(page));
    }

    void assertColoursDiffer() {
        assertNothingSerious(new AxeBuilder(page).withRules(List.of("color-contrast")));
    }

    private static void assertNothingSerious(AxeBuilder check) {
        List<String> serious = check.analyze().getViolations().stream()
                .filter(rule -> List.of("serious", "critical").contains(rule.getImpact()))
                .map(PageInChromium::describe)
                .toList();
        assertThat(serious).isEmpty();
    }

    private static String describe(Rule rule) {
        return rule.getId() + ": "
                + rule.getNodes().stream()
                        .limit(3)
                        .map(node -> node.getHtml() + " " + node.getFailureSummary())
                        .toList();
    }

    static String encoded(String id) {
        return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
    }

    String firstId() {
        visit("nodes?flagged=true");
        return page.locator("tbody a").first().getAttribute("title");
    }

    Locator state() {
        return page.locator(".state-text");
    }

    Locator button(String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }
}
