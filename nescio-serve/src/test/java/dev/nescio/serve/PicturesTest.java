// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import dev.nescio.detector.Detector;
import dev.nescio.detector.DetectorOptions;
import dev.nescio.graph.Graph;
import dev.nescio.graph.generate.BuiltinGraphs;
import dev.nescio.model.training.TrainingListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** docs/serve.md shows every view of a small graph; run with {@code -Dnescio.docs=write} the pictures are taken anew. */
class PicturesTest extends PageInChromium {

    private static final Path DOCS = Path.of("..", "docs");
    private static final boolean WRITES = System.getProperty("nescio.docs", "").equals("write");

    private final Graph graph = BuiltinGraphs.make("blocks?nodes=1500");
    private List<String> heldOut = List.of();

    @Override
    Service service() {
        DetectorOptions options = DetectorOptions.defaults().withLeftOut(Set.of(4));
        Detector detector = Detector.train(graph, graph.split("0"), options, TrainingListener.NONE);
        heldOut = detector.nodesIn(graph).heldOut();
        return Example.start(Example.options(), new Source.OfGraph("demo", detector, graph, schema -> graph));
    }

    @Override
    @BeforeEach
    void open() {
        open(new Browser.NewContextOptions().setViewportSize(1280, 1100));
    }

    @Test
    void everyViewIsInTheDocs() throws IOException {
        keepBatches();
        visit("overview");
        Locator drift = page.getByLabel("Drift of kept batches");
        assertThat(drift.locator("svg.drift path.fine")).hasCount(2);
        assertThat(drift.locator("svg.drift path.drifted")).hasCount(1);
        assertThat(drift).containsText("Batch 3 has drifted");
        page.getByText("See what has drifted").click();
        assertThat(page.locator(".pager")).containsText("of 120");
        visit("overview");
        picture("overview");
        visit("nodes?flagged=true");
        picture("nodes");
        visit("nodes/" + encoded(firstId()));
        assertEvidence();
        picture("node");
        visit("review");
        assertEvidence();
        picture("review");
        visit("map");
        assertThat(page.locator("canvas")).isVisible();
        picture("map");
        visit("try");
        button("Use an example").click();
        button("Score").click();
        assertThat(page.locator("tbody tr").first()).isVisible();
        picture("try");
        visit("detector");
        picture("detector");
        assertNoProblems();
    }

    /** Two batches of copies of held-out nodes, and one like nothing in the graph. */
    private void keepBatches() {
        for (int batch = 0; batch < 3; batch++) {
            List<Map<String, Object>> nodes = new ArrayList<>();
            List<List<String>> edges = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                // Held-out nodes are in the order of their classes: a batch takes from the whole list.
                int like = Integer.parseInt(heldOut.get((i * heldOut.size() / 40 + batch) % heldOut.size()));
                float[] row = new float[graph.features().columns()];
                for (int f = 0; f < row.length; f++) {
                    row[f] = graph.features().get(like, f) * (batch < 2 ? 1 : -3);
                }
                String id = "day" + (batch + 1) + "-" + i;
                nodes.add(Map.of("id", id, "features", row));
                for (int neighbour : graph.adjacency().row(like)) {
                    edges.add(List.of(id, Integer.toString(neighbour)));
                }
            }
            new Client(service).ask("POST", "/api/v1/score?keep=true", Map.of("nodes", nodes, "edges", edges));
        }
        assertDrift();
    }

    /** Ordinary batches are far from an alarm, so that no rounding of another machine raises one. */
    private void assertDrift() {
        JsonNode batches = Example.knownDrift(new Client(service));
        assertThat(batches.get(0).get("drift").get("pValue").doubleValue())
                .as("the first batch")
                .isGreaterThan(0.1);
        assertThat(batches.get(1).get("drift").get("pValue").doubleValue())
                .as("the second batch")
                .isGreaterThan(0.1);
        assertThat(batches.get(2).get("drift").get("pValue").doubleValue())
                .as("the batch like nothing in the graph")
                .isLessThan(0.005);
    }

    /** The explanation is computed when it is first asked for. */
    private void assertEvidence() {
        assertThat(page.locator(".ego-node").first()).isVisible();
        assertThat(page.getByLabel("Compared training nodes"))
                .isVisible(new LocatorAssertions.IsVisibleOptions().setTimeout(60_000));
    }

    private void picture(String view) throws IOException {
        Path file = DOCS.resolve("images").resolve("serve-" + view + ".png");
        if (WRITES) {
            Files.createDirectories(file.getParent());
            page.screenshot(new Page.ScreenshotOptions().setPath(file));
        }
        assertThat(file).exists();
        assertThat(Files.readString(DOCS.resolve("serve.md"))).contains("](images/serve-" + view + ".png)");
    }
}
