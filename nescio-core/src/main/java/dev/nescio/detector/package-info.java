/**
 * The whole path from a graph to a score per node. Start with {@link dev.nescio.detector.Detector}:
 *
 * <pre>{@code
 * Graph graph = BuiltinGraphs.make("blocks");
 * Detector detector = Detector.train(graph, graph.split("0"), DetectorOptions.defaults(), TrainingListener.NONE);
 * Scores scores = detector.score(graph);
 * System.out.println(scores.epistemic()[0]);
 * }</pre>
 */
@NullMarked
package dev.nescio.detector;

import org.jspecify.annotations.NullMarked;
