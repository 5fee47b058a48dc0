/** A service that answers about the nodes of a graph while people work with it. */
module dev.nescio.serve {
    requires transitive dev.nescio.io;
    requires com.fasterxml.jackson.annotation;
    requires de.siegmar.fastcsv;
    requires io.javalin;
    requires jetty.servlet.api;
    requires kotlin.stdlib;
    requires micrometer.core;
    requires micrometer.registry.prometheus;
    requires org.eclipse.jetty.http;
    requires org.eclipse.jetty.io;
    requires org.eclipse.jetty.server;
    requires org.eclipse.jetty.util;
    requires tools.jackson.databind;

    exports dev.nescio.serve;

    opens dev.nescio.serve.state to
            tools.jackson.databind;
}
