/** Graphs, networks that pass messages, estimators of uncertainty, detectors. */
module dev.nescio.core {
    requires com.sun.jna;
    requires org.bytedeco.javacpp;
    requires org.bytedeco.openblas;
    requires org.bytedeco.pytorch;
    requires static transitive org.jspecify;

    exports dev.nescio.decision;
    exports dev.nescio.detector;
    exports dev.nescio.graph;
    exports dev.nescio.graph.generate;
    exports dev.nescio.graph.split;
    exports dev.nescio.information;
    exports dev.nescio.matrix;
    exports dev.nescio.metric;
    exports dev.nescio.model;
    exports dev.nescio.model.block;
    exports dev.nescio.model.layer to
            dev.nescio.io;
    exports dev.nescio.model.network;
    exports dev.nescio.model.training;
    exports dev.nescio.option;
    exports dev.nescio.problem;
    exports dev.nescio.progress;
    exports dev.nescio.random;
    exports dev.nescio.shift;
    exports dev.nescio.surprise;
    exports dev.nescio.tensor to
            dev.nescio.onnx,
            dev.nescio.app,
            dev.nescio.benchmark,
            dev.nescio.study;
    exports dev.nescio.uncertainty;
    exports dev.nescio.uncertainty.density to
            dev.nescio.report;
    exports dev.nescio.uncertainty.estimator;
}
