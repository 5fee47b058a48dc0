///usr/bin/env jbang "$0" "$@" ; exit $?
//JAVA 17+
//REPOS mavenlocal,mavencentral
//DEPS dev.nescio:nescio-io:0.1.0

import dev.nescio.detector.Detector;
import dev.nescio.detector.Scores;
import dev.nescio.graph.Graph;
import dev.nescio.io.graph.TableGraph;
import java.nio.file.Path;

/** jbang flag.java nodes.csv edges.csv */
class flag {
    public static void main(String[] args) {
        Graph graph = TableGraph.read(Path.of(args[0]), Path.of(args[1]));
        Scores scores = Detector.train(graph).score(graph);
        scores.flagged(0.05).stream().forEach(node -> System.out.println(graph.ids().name(node)));
    }
}
