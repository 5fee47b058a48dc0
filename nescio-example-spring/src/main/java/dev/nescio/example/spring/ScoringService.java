// SPDX-License-Identifier: Apache-2.0
package dev.nescio.example.spring;

import dev.nescio.detector.Detector;
import dev.nescio.graph.Graph;
import dev.nescio.io.detector.DetectorFile;
import dev.nescio.io.graph.TableGraph;
import java.nio.file.Path;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/**
 * Scores nodes over HTTP with a detector that {@code nescio train} has saved:
 *
 * <pre>
 * java ... ScoringService --detector=detector.nescio --nodes=nodes.csv --edges=edges.csv
 * curl localhost:8080/nodes/u12
 * curl localhost:8080/nodes -H 'Content-Type: application/json' -d '{"id":"u77","columns":{"age":31},"neighbours":["u12"]}'
 * </pre>
 */
@SpringBootApplication
public class ScoringService {

    public static void main(String[] args) {
        SpringApplication.run(ScoringService.class, args);
    }

    /** Immutable, so that all requests share it. */
    @Bean
    Detector detector(@Value("${detector}") Path file) {
        return DetectorFile.read(file);
    }

    /** Tables become features as they did when the detector was trained. */
    @Bean
    Graph graph(Detector detector, @Value("${nodes}") Path nodes, @Value("${edges}") Path edges) {
        return TableGraph.readLike(detector.schema(), nodes, edges);
    }
}
