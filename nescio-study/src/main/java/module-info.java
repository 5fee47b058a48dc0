/** Studies: data sets x models x estimators x shifts, resumable; tuning. */
module dev.nescio.study {
    requires transitive dev.nescio.io;
    requires java.sql;
    requires tools.jackson.databind;
    requires tools.jackson.dataformat.yaml;

    exports dev.nescio.study;
}
