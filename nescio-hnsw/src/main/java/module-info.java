/** Approximate search for nearest training nodes by Apache Lucene. */
module dev.nescio.hnsw {
    requires dev.nescio.core;
    requires org.apache.lucene.core;

    provides dev.nescio.uncertainty.density.NeighbourIndex with
            dev.nescio.hnsw.LuceneNeighbours;
}
