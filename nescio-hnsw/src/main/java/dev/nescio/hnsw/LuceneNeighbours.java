// SPDX-License-Identifier: Apache-2.0
package dev.nescio.hnsw;

import dev.nescio.matrix.DenseMatrix;
import dev.nescio.uncertainty.density.Nearest;
import dev.nescio.uncertainty.density.NeighbourGraph;
import dev.nescio.uncertainty.density.NeighbourGraph.Level;
import dev.nescio.uncertainty.density.NeighbourIndex;
import dev.nescio.uncertainty.density.NeighbourSearch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopKnnCollector;
import org.apache.lucene.util.hnsw.HnswGraph;
import org.apache.lucene.util.hnsw.HnswGraphBuilder;
import org.apache.lucene.util.hnsw.HnswGraphSearcher;
import org.apache.lucene.util.hnsw.OnHeapHnswGraph;
import org.apache.lucene.util.hnsw.RandomVectorScorer;
import org.apache.lucene.util.hnsw.RandomVectorScorerSupplier;

/** Graphs of neighbours by Apache Lucene. */
public final class LuceneNeighbours implements NeighbourIndex {

    private static final int LINKS = 16;
    private static final int CANDIDATES = 100;

    /** Candidates of a walk, in multiples of k and at least. */
    private static final int BREADTH = 8;

    private static final int SMALLEST_BREADTH = 64;

    @Override
    public NeighbourGraph build(DenseMatrix rows) {
        try {
            OnHeapHnswGraph graph = HnswGraphBuilder.create(new Rows(rows), LINKS, CANDIDATES, 0, rows.rows())
                    .build(rows.rows());
            List<Level> levels = new ArrayList<>();
            for (int l = 0; l < graph.numLevels(); l++) {
                levels.add(level(graph, l));
            }
            return new NeighbourGraph(graph.entryNode(), levels);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Level level(OnHeapHnswGraph graph, int level) {
        int[] rows = HnswGraph.NodesIterator.getSortedNodes(graph.getNodesOnLevel(level));
        int[] pointers = new int[rows.length + 1];
        int[] links = new int[0];
        for (int i = 0; i < rows.length; i++) {
            graph.seek(level, rows[i]);
            int next = pointers[i];
            for (int link = graph.nextNeighbor(); isRow(link); link = graph.nextNeighbor()) {
                links = next < links.length ? links : Arrays.copyOf(links, 2 * next + LINKS);
                links[next++] = link;
            }
            pointers[i + 1] = next;
        }
        return new Level(rows, pointers, Arrays.copyOf(links, pointers[rows.length]));
    }

    private static boolean isRow(int link) {
        return link != DocIdSetIterator.NO_MORE_DOCS;
    }

    @Override
    public NeighbourSearch over(NeighbourGraph graph, DenseMatrix rows, int k) {
        return new Walk(graph, rows, k);
    }

    private record Walk(NeighbourGraph graph, DenseMatrix rows, int k) implements NeighbourSearch {

        @Override
        public Found search(DenseMatrix queries) {
            Found found = new Found(k, new int[queries.rows() * k], new double[queries.rows() * k]);
            Nearest nearest = new Nearest(k);
            int breadth = Math.min(rows.rows(), Math.max(SMALLEST_BREADTH, BREADTH * k));
            for (int q = 0; q < queries.rows(); q++) {
                nearest.clear();
                for (ScoreDoc candidate : candidates(queries, q, breadth)) {
                    nearest.offer(queries, q, rows, candidate.doc);
                }
                nearest.copyTo(found, q);
            }
            return found;
        }

        private ScoreDoc[] candidates(DenseMatrix queries, int q, int breadth) {
            TopKnnCollector collector = new TopKnnCollector(breadth, Integer.MAX_VALUE);
            try {
                HnswGraphSearcher.search(new Distances(queries, q, rows), collector, new Links(graph), null);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return collector.topDocs().scoreDocs;
        }

        @Override
        public void close() {}
    }

    /** Compares every row with every other, for building. */
    private record Rows(DenseMatrix rows) implements RandomVectorScorerSupplier {

        @Override
        public RandomVectorScorer scorer(int row) {
            return new Distances(rows, row, rows);
        }

        @Override
        public RandomVectorScorerSupplier copy() {
            return this;
        }
    }

    /** Minus the squared distance between one query and any row: larger is nearer. */
    private record Distances(DenseMatrix queries, int query, DenseMatrix rows) implements RandomVectorScorer {

        private static final int LANES = 8;

        @Override
        public float score(int row) {
            int dimensions = rows.columns();
            float[] a = queries.values();
            float[] b = rows.values();
            int i = query * dimensions;
            int j = row * dimensions;
            float[] lanes = new float[LANES];
            int d = 0;
            for (; d + LANES <= dimensions; d += LANES) {
                for (int lane = 0; lane < LANES; lane++) {
                    float difference = a[i + d + lane] - b[j + d + lane];
                    lanes[lane] += difference * difference;
                }
            }
            float sum = 0;
            for (; d < dimensions; d++) {
                float difference = a[i + d] - b[j + d];
                sum += difference * difference;
            }
            for (float lane : lanes) {
                sum += lane;
            }
            return -sum;
        }

        @Override
        public int maxOrd() {
            return rows.rows();
        }
    }

    /** The graph as the searcher wants to see it; one per walk. */
    private static final class Links extends HnswGraph {

        private final NeighbourGraph graph;
        private int[] links = new int[0];
        private int next;
        private int end;

        Links(NeighbourGraph graph) {
            this.graph = graph;
        }

        @Override
        public void seek(int level, int row) {
            Level at = graph.levels().get(level);
            int place = level == 0 ? row : Arrays.binarySearch(at.rows(), row);
            links = at.links();
            next = at.pointers()[place];
            end = at.pointers()[place + 1];
        }

        @Override
        public int nextNeighbor() {
            return next < end ? links[next++] : DocIdSetIterator.NO_MORE_DOCS;
        }

        @Override
        public int size() {
            return graph.levels().get(0).rows().length;
        }

        @Override
        public int numLevels() {
            return graph.levels().size();
        }

        @Override
        public int entryNode() {
            return graph.entry();
        }

        @Override
        public NodesIterator getNodesOnLevel(int level) {
            int[] rows = graph.levels().get(level).rows();
            return new ArrayNodesIterator(rows, rows.length);
        }
    }
}
