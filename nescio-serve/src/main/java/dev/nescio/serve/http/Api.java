// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import dev.nescio.problem.BadInput;
import dev.nescio.problem.NescioException;
import dev.nescio.serve.state.Refused;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.servlet.FilterHolder;

/** Every path, and who answers. */
public final class Api {

    /** A path on this machine, absolute or of a file that we read or write, and the name that it ends with. */
    private static final Pattern PATH = Pattern.compile(
            "(?<![\\p{L}\\p{N}._~/-])(?:"
                    + "(?:[A-Za-z]:)?[/\\\\](?:[^/\\\\:\"'\\n]+[/\\\\])+([^/\\\\:,;\"'\\s]*)"
                    + "|(?:[^/\\\\:\"'\\s]+[/\\\\])+([^/\\\\:,;\"'\\s]+\\.(?:csv|tsv|gz|parquet|json|ndjson|jsonl|npz|npy|npk|graphml|gexf|onnx|nescio|safetensors)))");

    private final Live live;
    private final AccessLog log;
    private final PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Guard guard;
    private final Operation operation;

    /** Over what is live, for those who may ask. */
    public Api(Live live, Access access, AccessLog log) {
        this.live = live;
        this.log = log;
        this.guard = new Guard(access, live, metrics, log);
        this.operation = new Operation(live, metrics);
    }

    /** Puts the guard before all requests. */
    public void configure(JavalinConfig config) {
        config.jetty.modifyServletContextHandler(
                handler -> handler.addFilter(new FilterHolder(guard), "/*", EnumSet.of(DispatcherType.REQUEST)));
    }

    /** Adds all paths. */
    public void addTo(Javalin app) {
        LookUp lookUp = new LookUp(live);
        get(app, "/api/v1/nodes/{id}", lookUp::node);
        get(app, "/api/v1/nodes", lookUp::nodes);
        get(app, "/api/v1/table", lookUp::table);
        get(app, "/api/v1/columns", lookUp::columns);
        Overview overview = new Overview(live);
        get(app, "/api/v1/overview", overview::get);
        get(app, "/api/v1/batches", overview::batches);
        add(app, HandlerType.POST, "/api/v1/score", new ScoreNew(live)::post);
        Explain explain = new Explain(live);
        get(app, "/api/v1/nodes/{id}/explanation", explain::explanation);
        get(app, "/api/v1/nodes/{id}/ego", explain::ego);
        Decide decide = new Decide(live);
        get(app, "/api/v1/decision", decide::get);
        add(app, HandlerType.PUT, "/api/v1/decision", decide::put);
        review(app);
        add(app, HandlerType.POST, "/api/v1/detector", new DetectorApi(live)::post);
        get(app, "/api/v1/map", new MapApi(live)::get);
        inference(app);
        get(app, "/health/live", operation::alive);
        get(app, "/health/ready", operation::ready);
        get(app, "/metrics", operation::metrics);
        Pages pages = new Pages();
        get(app, "/openapi.json", pages::openApi);
        get(app, "/", pages::index);
        get(app, "/index.html", pages::index);
        get(app, "/assets/<file>", pages::asset);
        problems(app);
    }

    private void review(Javalin app) {
        ReviewApi review = new ReviewApi(live);
        get(app, "/api/v1/review/queue", review::queue);
        get(app, "/api/v1/review/history", review::history);
        get(app, "/api/v1/review/labels.csv", review::labels);
        add(app, HandlerType.POST, "/api/v1/review/undo", review::undo);
        add(app, HandlerType.POST, "/api/v1/review/redo", review::redo);
        add(app, HandlerType.PUT, "/api/v1/review/{id}", review::put);
        add(app, HandlerType.DELETE, "/api/v1/review/{id}", review::delete);
    }

    private void inference(Javalin app) {
        Inference inference = new Inference(live);
        get(app, "/v2", inference::server);
        get(app, "/v2/health/live", operation::alive);
        get(app, "/v2/health/ready", operation::ready);
        for (String model : List.of("/v2/models/{name}", "/v2/models/{name}/versions/{version}")) {
            get(app, model, inference::metadata);
            get(app, model + "/ready", inference::ready);
            add(app, HandlerType.POST, model + "/infer", inference::infer);
        }
    }

    private static void get(Javalin app, String path, Handler handler) {
        add(app, HandlerType.GET, path, handler);
    }

    private static void add(Javalin app, HandlerType type, String path, Handler handler) {
        app.addHttpHandler(type, path, context -> {
            context.req().setAttribute(Guard.ROUTE, path);
            handler.handle(context);
        });
    }

    private void problems(Javalin app) {
        app.exception(ClientGone.class, (e, context) -> log.event("a client has gone before its answer was complete"));
        app.exception(Refused.class, (e, context) -> refuse(context, e.status(), String.valueOf(e.getMessage())));
        app.exception(NescioException.class, (e, context) -> {
            log.event("refused: " + e.getMessage());
            refuse(context, e instanceof BadInput ? 422 : 400, withoutPaths(String.valueOf(e.getMessage())));
        });
        app.exception(HttpResponseException.class, (e, context) -> {
            boolean isMissing = e.getStatus() == 404;
            boolean isMethod = e.getStatus() == 405;
            refuse(
                    context,
                    e.getStatus(),
                    isMissing
                            ? "there is nothing here; /openapi.json lists every path"
                            : isMethod
                                    ? "this path does not take "
                                            + context.method().name()
                                    : "the request cannot be read");
        });
        app.exception(IllegalArgumentException.class, (e, context) -> {
            log.failure("a request that cannot be read", e);
            refuse(context, 400, "the request cannot be read");
        });
        app.exception(Exception.class, (e, context) -> {
            log.failure("a failure of ours", e);
            refuse(context, 500, "an internal failure; the log of the service says more");
        });
        app.error(404, context -> {
            if (context.resultInputStream() == null || !isJson(context)) {
                refuse(context, 404, "there is nothing here; /openapi.json lists every path");
            }
        });
    }

    private static boolean isJson(Context context) {
        return String.valueOf(context.res().getContentType()).startsWith("application/json");
    }

    /** Where files lie on this machine is nobody's business: of a path, the last name is told. */
    static String withoutPaths(String message) {
        return PATH.matcher(message)
                .replaceAll(path -> Matcher.quoteReplacement(path.group(1) == null ? path.group(2) : path.group(1)));
    }

    private static void refuse(Context context, int status, String message) {
        if (status == 429 || status == 503) {
            context.header("Retry-After", "1");
        }
        if (status == 413 || status == 408) {
            // What the client still sends is not read.
            context.header("Connection", "close");
        }
        context.status(status).contentType("application/json").result(Guard.error(context.path(), status, message));
    }

    /** Waits until every request that has begun is answered. */
    public void finish(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            while (guard.running() > 0 && System.nanoTime() < end) {
                Thread.sleep(10);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        operation.close();
        metrics.close();
    }
}
