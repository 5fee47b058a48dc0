/** The paper's own tables, figures and findings. */
module dev.nescio.paper {
    requires transitive dev.nescio.report;

    exports dev.nescio.paper;
}
