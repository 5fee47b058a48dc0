// SPDX-License-Identifier: Apache-2.0
package dev.nescio.serve.http;

import dev.nescio.serve.state.Store;
import io.javalin.http.Context;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** For those who run the service: is it alive, is it ready, what does it do. */
final class Operation {

    private final Live live;
    private final PrometheusMeterRegistry metrics;
    private final JvmGcMetrics collections = new JvmGcMetrics();

    Operation(Live live, PrometheusMeterRegistry metrics) {
        this.live = live;
        this.metrics = metrics;
        collections.bindTo(metrics);
        new JvmMemoryMetrics().bindTo(metrics);
        new JvmThreadMetrics().bindTo(metrics);
        new ProcessorMetrics().bindTo(metrics);
        gauge("nescio.nodes", "Nodes of the graph", store -> store.state().nodes());
        gauge("nescio.nodes.stale", "Nodes that wait to be scored again", store -> store.state()
                .staleNodes());
        gauge("nescio.batches", "Batches that were kept", store -> store.state()
                .batches()
                .size());
        gauge(
                "nescio.reviews",
                "Nodes that people have decided about",
                store -> store.state().reviews().counts().done());
        gauge("nescio.changes.waiting", "Changes that wait to be written", Store::waiting);
        gauge("nescio.detector.version", "How many detectors were loaded", store -> store.state()
                .loaded()
                .version());
    }

    private void gauge(String name, String about, ToDoubleFunction<Store> value) {
        Gauge.builder(name, live, site -> {
                    Store store = site.storeOrNull();
                    return store == null ? 0 : value.applyAsDouble(store);
                })
                .description(about)
                .register(metrics);
    }

    void alive(Context context) {
        Json.answer(context, Map.of("live", true));
    }

    void ready(Context context) {
        boolean isReady = live.isReady();
        context.status(isReady ? 200 : 503);
        Json.answer(context, Map.of("ready", isReady));
    }

    void metrics(Context context) {
        context.contentType("text/plain; version=0.0.4; charset=utf-8").result(metrics.scrape());
    }

    void close() {
        collections.close();
    }
}
