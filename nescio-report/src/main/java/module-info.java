/** Pages, tables and figures that need no network. */
module dev.nescio.report {
    requires transitive dev.nescio.study;
    requires tools.jackson.databind;

    exports dev.nescio.report;
}
