// SPDX-License-Identifier: Apache-2.0
package dev.nescio.example.spring;

import dev.nescio.detector.Detector;
import dev.nescio.detector.NodeResult;
import dev.nescio.graph.Graph;
import dev.nescio.graph.Growth;
import dev.nescio.problem.NescioException;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** What the detector says about a node that is known, or about one that is not yet part of the graph. */
@RestController
class NodeController {

    private final Detector detector;
    private final Graph graph;

    NodeController(Detector detector, Graph graph) {
        this.detector = detector;
        this.graph = graph;
    }

    /**
     * A node that is not in the tables.
     *
     * @param columns as in the table of nodes; what is missing is filled as there
     * @param neighbours ids of the nodes that it is joined to
     */
    record NewNode(String id, Map<String, Object> columns, List<String> neighbours) {}

    @GetMapping("/nodes/{id}")
    NodeResult known(@PathVariable("id") String id) {
        return detector.score(graph, id);
    }

    /** Scores a new node and forgets it again. */
    @PostMapping("/nodes")
    NodeResult unknown(@RequestBody NewNode node) {
        Growth growth = new Growth(graph).node(node.id, node.columns);
        node.neighbours.forEach(neighbour -> growth.edge(node.id, neighbour));
        return detector.score(growth.build(), node.id);
    }

    /** Messages of Nescio are made for people: they name what was wrong. */
    @ExceptionHandler
    ProblemDetail refused(NescioException problem) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.UNPROCESSABLE_CONTENT, problem.getMessage());
    }
}
