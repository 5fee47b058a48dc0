/** The command line. */
module dev.nescio.app {
    requires dev.nescio.paper;
    requires dev.nescio.serve;
    requires info.picocli;
    requires java.management;
    requires jdk.management;
    requires jdk.unsupported;
    requires tools.jackson.databind;

    opens dev.nescio.cli to
            info.picocli;
    opens dev.nescio.cli.command to
            info.picocli;
    opens dev.nescio.cli.flag to
            info.picocli;
}
