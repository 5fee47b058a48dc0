/** Files in and out: graphs, tables, arrays, saved detectors, published data sets. */
module dev.nescio.io {
    requires transitive dev.nescio.core;
    requires de.siegmar.fastcsv;
    requires java.net.http;
    requires java.sql;
    requires java.xml;
    requires tools.jackson.databind;
    requires tools.jackson.dataformat.yaml;

    exports dev.nescio.io;
    exports dev.nescio.io.array;
    exports dev.nescio.io.data;
    exports dev.nescio.io.detector;
    exports dev.nescio.io.file;
    exports dev.nescio.io.graph;
    exports dev.nescio.io.location;
    exports dev.nescio.io.pack;
    exports dev.nescio.io.score;
    exports dev.nescio.io.table;

    opens dev.nescio.io.detector to
            tools.jackson.databind;
    opens dev.nescio.io.pack to
            tools.jackson.databind;

    uses dev.nescio.io.detector.StateSource;
}
